import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setInterval } from 'node:timers'
import { err, ok, type Result } from '../core/protocol/result.ts'
import type { Environment } from './command.ts'
import { childClosed } from './machine.ts'

const MEGABYTE = 1_000_000

/** So often a person wants to hear how much has come. */
const STEP = 10 * MEGABYTE

/** Megabytes of the archive, which differs a little between the systems. */
const WHOLE = 120

/** Runs the installer of Electron's package, which checks what it downloads, and says how far it has come. */
export const installElectron = async (
  installer: string,
  { env, terminal, stop }: Pick<Environment, 'env' | 'terminal' | 'stop'>,
): Promise<Result<null, string>> => {
  const { version } = JSON.parse(readFileSync(join(dirname(installer), 'package.json'), 'utf8'))
  terminal.out(`Downloading Electron ${version} into ${join(dirname(installer), 'dist')}, once: about ${WHOLE} MB.`)
  // It downloads into the folder for temporary files: in one of our own its size can be seen.
  const scratch = mkdtempSync(join(tmpdir(), 'handset-electron-'))
  const temporary = { TMPDIR: scratch, TEMP: scratch, TMP: scratch }
  const child = spawn(process.execPath, [installer], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Node itself goes by HTTPS_PROXY then; the installer alone wants a variable of its own for that.
    env: { ...env, ...temporary, ELECTRON_GET_NO_PROGRESS: '1', NODE_USE_ENV_PROXY: '1' },
  })
  const end = (): void => void child.kill()
  stop.addEventListener('abort', end, { once: true })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  let told = 0
  const watch = setInterval(() => {
    const size = sizeOf(scratch)
    if (size < told + STEP) return
    told = size - (size % STEP)
    terminal.out(`  ${told / MEGABYTE} of about ${WHOLE} MB`)
  }, 200)
  try {
    const code = await childClosed(child)
    if (code === 0) return ok(null)
    return err(`Electron ${version} was not installed: ${stop.aborted ? 'stopped' : firstLine(said, code)}`)
  } finally {
    clearInterval(watch)
    stop.removeEventListener('abort', end)
    rmSync(scratch, { recursive: true, force: true })
  }
}

const firstLine = (said: string, code: number | string): string =>
  said
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.replace(/^(?:\w*Error): /, '') ?? `its installer ended with ${code}`

/** Of all files in it; a file that disappears while it is counted has size 0. */
const sizeOf = (folder: string): number => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name)))
      .reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0)
  } catch {
    return 0
  }
}
