/** npm run release -- --version 1.2.3 --out DIR --repository URL: every file of a release that needs no account. docs/releasing.md */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../support/imports.ts'
import { makeRelease } from './release-parts.ts'
import { releaseProblems, versionsFor } from './release-problems.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { version: text, out: text, repository: text, key: text, installer: text } })
const { version, key, installer } = values
const repository = /^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.exec(values.repository ?? '')?.[0]
const out = values.out && resolve(values.out)
if (version === undefined || !out || repository === undefined) {
  console.error('It needs --version 1.2.3, --out DIR and --repository https://github.com/OWNER/NAME.')
  process.exit(2)
}
const problems = releaseProblems(versionsFor(`v${version}`))
mkdirSync(out, { recursive: true })
if (readdirSync(out).length > 0) problems.push(`${out} has files already: name an empty folder.`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
const { origin, pathname } = new URL(repository)
// The package names the repository that published it: npm gives no provenance without that.
const env = { ...process.env, GITHUB_SERVER_URL: origin, GITHUB_REPOSITORY: pathname.slice(1) }
execFileSync('npm', ['run', '--silent', 'pack'], { cwd: ROOT, env, stdio: 'inherit' })
makeRelease({ version, out, repository, key, installer })
console.log(readdirSync(out).join('\n'))
if (key === undefined) console.log('Nothing is signed: give --key.')
if (installer === undefined) console.log('No files for winget: give --installer, made by "npm run package" on Windows.')
