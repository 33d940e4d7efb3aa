/**
 * After npm run package: what lies in dist/ has its fuses set, starts, serves its page and ends when it is told to.
 * Run by the workflow, where Electron is.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { answersAndEnds } from './answers-and-ends.ts'
import { wrongFuses } from './fuses.ts'

const root = join(import.meta.dirname, '../../..')
const dist = join(root, 'dist')
const PORT = 7431

const fail = (why: string): never => {
  console.error(`✗ ${why}`)
  process.exit(1)
}

// linux-unpacked, win-unpacked, mac, mac-arm64
const folder = readdirSync(dist).find((name) => /^((linux|win).*-unpacked|mac(-\w+)?)$/.test(name))
if (folder === undefined) throw fail('There is nothing in dist/.')
const inside = join(dist, folder)
const program = ['handset', 'Handset.exe', 'Handset.app/Contents/MacOS/Handset']
  .map((name) => join(inside, name))
  .find((path) => existsSync(path))
if (program === undefined) throw fail(`There is no program in ${inside}.`)

const framework = join(dirname(program), '../Frameworks/Electron Framework.framework/Electron Framework')
const { electronFuses } = parse(readFileSync(join(root, 'src-main/shell/electron-builder.yml'), 'utf8'))
const wrong = wrongFuses(readFileSync(existsSync(framework) ? framework : program), electronFuses)
if (wrong.length > 0) fail(`These fuses are not as they were ordered: ${wrong.join(', ')}.`)
console.log('✓ the fuses are set')

const outcome = await answersAndEnds({
  program,
  args: ['--memory', '--port', String(PORT)],
  url: `http://localhost:${PORT}/`,
  patience: 90,
})
if (outcome.status !== 200 || outcome.policy === undefined) fail(`The page answers ${JSON.stringify(outcome)}.`)
// Windows knows no gentle signal.
if (process.platform !== 'win32' && outcome.code !== 0) fail(`It ended with ${JSON.stringify(outcome)}.`)
console.log('✓ the program starts, serves its page and ends')
