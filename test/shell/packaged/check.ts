/**
 * After npm run package: what lies in dist/ has its fuses set, starts, serves its page and ends when it is told to.
 * Run by the workflow, where Electron is.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { wrongFuses } from './fuses.ts'

const root = join(import.meta.dirname, '../../..')
const dist = join(root, 'dist')
const PORT = 7431
/** It is asked once a second, no longer than that. */
const PATIENCE_S = 90

/** Starts a program, waits until it answers, ends it, and tells how both went. */
const answersAndEnds = async (program: string, args: readonly string[], url: string) => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve({ code, signal }))
    },
  )
  try {
    const answer = await Promise.race([
      firstAnswer(url),
      ended.then((how) => Promise.reject(new Error(`It ended before it answered: ${JSON.stringify(how)}`))),
    ])
    child.kill('SIGTERM')
    return { ...answer, ...(await ended) }
  } catch (reason) {
    child.kill('SIGKILL')
    throw reason
  }
}

const firstAnswer = async (url: string) => {
  for (let asked = 0; asked < PATIENCE_S; asked++) {
    try {
      const { status, headers } = await fetch(url)
      return { status, policy: headers.get('content-security-policy') ?? undefined }
    } catch {
      await sleep(1000)
    }
  }
  throw new Error(`It did not answer at ${url} within ${PATIENCE_S} s.`)
}

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

const outcome = await answersAndEnds(program, ['--memory', '--port', String(PORT)], `http://localhost:${PORT}/`)
if (outcome.status !== 200 || outcome.policy === undefined) fail(`The page answers ${JSON.stringify(outcome)}.`)
// Windows knows no gentle signal.
if (process.platform !== 'win32' && outcome.code !== 0) fail(`It ended with ${JSON.stringify(outcome)}.`)
console.log('✓ the program starts, serves its page and ends')
