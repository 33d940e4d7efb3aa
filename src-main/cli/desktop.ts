import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setInterval } from 'node:timers'
import { orNothing } from '../core/protocol/result.ts'
import { parseStartBench } from './bench-options.ts'
import { type Environment, makeCommand, waitForChild } from './command.ts'
import { type End, fail } from './command-end.ts'
import { electronInstaller, electronProgram, openElectron, sandboxObstacle, windowObstacle } from './electron.ts'

const MEGABYTE = 1_000_000

/** Progress is reported in steps of this size. */
const STEP = 10 * MEGABYTE

/** Approximate size of the archive in megabytes. */
const WHOLE = 120

/** The installer of Electron's package verifies its download. */
const installElectron = async (
  installer: string,
  { env, terminal, stop }: Pick<Environment, 'env' | 'terminal' | 'stop'>,
): Promise<void> => {
  const { version } = JSON.parse(readFileSync(join(dirname(installer), 'package.json'), 'utf8'))
  terminal.out(`Downloading Electron ${version} into ${join(dirname(installer), 'dist')}, once: about ${WHOLE} MB.`)
  // The installer downloads into the folder for temporary files. The size of a separate folder shows the progress.
  const scratch = mkdtempSync(join(tmpdir(), 'handset-electron-'))
  const temporary = { TMPDIR: scratch, TEMP: scratch, TMP: scratch }
  const child = spawn(process.execPath, [installer], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // NODE_USE_ENV_PROXY makes Node itself use HTTPS_PROXY; the installer would need another variable.
    env: { ...env, ...temporary, ELECTRON_GET_NO_PROGRESS: '1', NODE_USE_ENV_PROXY: '1' },
  })
  const end = (): void => void child.kill()
  stop.addEventListener('abort', end, { once: true })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  let shown = 0
  const watch = setInterval(() => {
    const size = sizeOf(scratch)
    if (size < shown + STEP) return
    shown = size - (size % STEP)
    terminal.out(`  ${shown / MEGABYTE} of about ${WHOLE} MB`)
  }, 200)
  try {
    const code = await waitForChild(child)
    if (code === 0) return
    const why = stop.aborted ? 'stopped' : firstLine(errors, code)
    notReady(`Electron ${version} was not installed: ${why}. ${HELP}`)
  } finally {
    clearInterval(watch)
    stop.removeEventListener('abort', end)
    rmSync(scratch, { recursive: true, force: true })
  }
}

const firstLine = (errors: string, code: number | string): string =>
  errors
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.replace(/^(?:\w*Error): /, '') ?? `its installer ended with ${code}`

/** 0 if a file disappears while it is counted. */
const sizeOf = (folder: string): number =>
  orNothing(() =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name)))
      .reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0),
  ) ?? 0

export const desktop = makeCommand(
  {
    name: 'desktop',
    usage: '[OPTIONS]',
    more: [
      'Only in a checkout of the project: npm run desktop builds it and then does this.',
      'Its download goes by HTTPS_PROXY, and to the place that ELECTRON_MIRROR names.',
    ],
  },
  async ({ options, named }, environment, args) => {
    parseStartBench(options, environment, named)
    return openElectron(await readyProgram(environment), environment, args)
  },
)

const notReady: End = (problem) => fail(`${problem} npm start opens the page in a browser instead.`)

/** Reports obstacles first, to avoid a useless download of 120 MB. */
const readyProgram = async (environment: Environment): Promise<string> => {
  const { root } = environment
  const installer = electronInstaller(root)
  if (installer === undefined)
    return notReady(
      `Electron’s package is not in ${root}. The desktop program needs a checkout of the project and npm ci.`,
    )
  const obstacle = windowObstacle(environment)
  if (obstacle !== undefined) notReady(`no window can be shown: ${obstacle}.`)
  if (electronProgram(root) === undefined) await installElectron(installer, environment)
  const program = electronProgram(root)
  if (program === undefined)
    return notReady('Electron’s program is missing. Remove node_modules/electron and run npm ci.')
  const denied = sandboxObstacle(program, environment)
  if (denied !== undefined) notReady(`no window can be shown: ${denied}.`)
  return (await build(root)) ? program : notReady(`It could not be built: run npm run build in ${root}.`)
}

const HELP = 'If the network forbids it, set HTTPS_PROXY, or ELECTRON_MIRROR to a place that it allows.'

const build = async (root: string): Promise<boolean> => {
  if (existsSync(join(root, 'out/main/index.js'))) return true
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const building = spawn(process.execPath, [builder, 'build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
  return (await waitForChild(building)) === 0
}
