import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { type Environment, failed, makeCommand, misuse } from './command.ts'
import { electronInstaller, electronProgram, openElectron, sandboxObstacle, windowObstacle } from './electron.ts'
import { installElectron } from './install-electron.ts'
import { childClosed } from './machine.ts'
import { benchOptions } from './option-tables/serving-options.ts'
import { wantedByStart } from './start-options.ts'

export const desktop = makeCommand(
  {
    name: 'desktop',
    usage: '[OPTIONS]',
    options: benchOptions,
    more: [
      'Only in a checkout of the project: npm run desktop builds it and then does this.',
      'Its download goes by HTTPS_PROXY, and to the place that ELECTRON_MIRROR names.',
    ],
  },
  async ({ options, positionals, named }, environment, args) => {
    const [stranger] = positionals
    if (stranger !== undefined) return misuse(environment, 'desktop', `it takes no "${stranger}".`)
    const wanted = wantedByStart(options, environment, named)
    if (!wanted.ok) return misuse(environment, 'desktop', wanted.error)
    const program = await readyProgram(environment)
    if (!program.ok)
      return failed(environment, 'desktop', `${program.error} npm start opens the page in a browser instead.`)
    return openElectron(program.value, { environment, command: 'desktop', args })
  },
)

/** What stands in the way is said before 120 MB are downloaded for nothing. */
const readyProgram = async (environment: Environment): Promise<Result<string, string>> => {
  const { root } = environment
  const installer = electronInstaller(root)
  if (installer === undefined) {
    return err(`Electron’s package is not in ${root}. The desktop program needs a checkout of the project and npm ci.`)
  }
  const obstacle = windowObstacle(environment)
  if (obstacle !== undefined) return err(`no window can be shown: ${obstacle}.`)
  if (electronProgram(root) === undefined) {
    const installed = await installElectron(installer, environment)
    if (!installed.ok) return err(`${installed.error}. ${HELP}`)
  }
  const program = electronProgram(root)
  if (program === undefined) return err(`Electron’s program is missing. Remove node_modules/electron and run npm ci.`)
  const denied = sandboxObstacle(program, environment)
  if (denied !== undefined) return err(`no window can be shown: ${denied}.`)
  return (await build(root)) ? ok(program) : err(`It could not be built: run npm run build in ${root}.`)
}

const HELP = 'If the network forbids it, set HTTPS_PROXY, or ELECTRON_MIRROR to a place that it allows.'

const build = async (root: string): Promise<boolean> => {
  if (existsSync(join(root, 'out/main/index.js'))) return true
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const building = spawn(process.execPath, [builder, 'build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
  return (await childClosed(building)) === 0
}
