/** node test/release/check-release.ts v1.2.3: prints what the changelog says of that version, or why it cannot be released. */
import { notesOf, releaseProblems, versionsFor } from './release-problems.ts'

const [tag = ''] = process.argv.slice(2)
const versions = versionsFor(tag)
const problems = releaseProblems(versions)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(notesOf(versions.changelog, tag.slice(1)))
