import { chooseWindowHost, type WindowHost } from './choose-window-host.ts'
import { type Environment, failed, makeCommand, misuse } from './command.ts'
import { prepareDataFolder } from './data-folder.ts'
import { electronInstaller, electronProgram, openElectron } from './electron.ts'
import { QUIET } from './log.ts'
import { startOptions } from './option-tables/serving-options.ts'
import { startProblemText } from './problem-texts.ts'
import { offerKeys, readyText } from './ready.ts'
import { launch, stopped, tellIfNoPage } from './serve.ts'
import { showPage } from './show-page.ts'
import { wantedByStart } from './start-options.ts'

export const start = makeCommand(
  {
    name: 'start',
    usage: '[OPTIONS]',
    options: startOptions,
    more: [
      'The window is the first that works: Electron, an installed Chromium, Chrome or Edge, the default browser.',
      'Without --data or --memory everything is kept where this system keeps the data of programs.',
    ],
  },
  async ({ options, positionals, named }, environment, args) => {
    const [stranger] = positionals
    if (stranger !== undefined) return misuse(environment, 'start', `it takes no "${stranger}".`)
    const wanted = wantedByStart(options, environment, named)
    if (!wanted.ok) return misuse(environment, 'start', wanted.error)
    const folder = prepareDataFolder(wanted.value.dataDirectory, named('data'))
    if (!folder.ok) return misuse(environment, 'start', folder.error)
    if (folder.value !== undefined) environment.terminal.error(`handset start: ${folder.value}`)
    const host: WindowHost =
      options['no-window'] === true ? { kind: 'none', why: 'none was wanted' } : chooseWindowHost(environment)
    if (host.kind === 'electron') {
      environment.terminal.out(`Opening a window of its own: ${host.why}.`)
      return openElectron(host.program, { environment, command: 'start', args })
    }
    const bench = await launch(wanted.value, environment, QUIET)
    if (typeof bench === 'string') return failed(environment, 'start', bench)
    environment.terminal.out(readyText(bench, wanted.value, environment))
    tellIfNoPage(environment, 'start')
    const window = showPage(host, bench.invite, { environment, dataDirectory: wanted.value.dataDirectory })
    if (host.kind !== 'none' && couldBeDesktop(environment)) {
      environment.terminal.out(
        'The desktop program has a window of its own, notifications and a tray: npm run desktop.',
      )
    }
    offerKeys(bench, environment)
    const lost = await Promise.race([stopped(environment.stop), window.closedByPerson, bench.lost])
    environment.terminal.out('\nStopping.')
    await Promise.all([bench.close(), window.end()])
    return typeof lost === 'object' ? failed(environment, 'start', startProblemText(lost)) : 0
  },
)

const couldBeDesktop = (environment: Environment): boolean =>
  environment.isRoot !== true &&
  electronProgram(environment.root) === undefined &&
  electronInstaller(environment.root) !== undefined
