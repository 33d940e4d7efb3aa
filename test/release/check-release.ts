/** node test/release/check-release.ts v1.2.3: prints what the changelog says of that version, or why it cannot be released. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { notesOf, releaseProblems } from './release-problems.ts'

const text = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const [tag = ''] = process.argv.slice(2)
const changelog = text('CHANGELOG.md')
const problems = releaseProblems({
  tag,
  packageJson: text('package.json'),
  pyproject: text('clients/python/pyproject.toml'),
  pom: text('clients/java/pom.xml'),
  changelog,
})
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(notesOf(changelog, tag.slice(1)))
