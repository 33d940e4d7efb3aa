import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startBench } from '../bench/bench.ts'
import type { Bench } from '../bench/bench-settings.ts'
import { pageFolderOf } from '../bench/control/page.ts'
import { ok, type Result } from '../core/protocol/result.ts'
import { parseBenchOptions, type WantedBench, wholeNumber } from './bench-options.ts'
import { type Environment, failed, makeCommand, misuse } from './command.ts'
import { parseControlToken } from './control-token.ts'
import { prepareDataFolder } from './data-folder.ts'
import { type LogOptions, terminalLog } from './log.ts'
import { parseLogOptions } from './log-options.ts'
import { openBrowser } from './open-browser.ts'
import { serveOptions } from './option-tables/serving-options.ts'
import { namingHolder } from './port-holder.ts'
import { startProblemText } from './problem-texts.ts'
import type { OptionName } from './read-options.ts'
import { offerKeys, readyLine, readyText } from './ready.ts'
import { parseRole } from './roles.ts'
import { serveService } from './serve-service.ts'
import { stoppingText } from './stopping-text.ts'
import { parseTlsOptions, writeAuthority } from './tls-options.ts'
import { parseTraceOptions } from './trace-options.ts'
import { openWindowFolder } from './window-folder.ts'

export const serve = makeCommand(
  {
    name: 'serve',
    usage: '[OPTIONS]',
    options: serveOptions,
    more: ['Without --data everything is in memory and ends with the program.', 'Ctrl-C or SIGTERM ends it.'],
  },
  async ({ options, positionals, named }, environment) => {
    const [stranger] = positionals
    if (stranger !== undefined) return misuse(environment, 'serve', `it takes no "${stranger}".`)
    const parsed = parseBenchOptions(options, named)
    if (!parsed.ok) return misuse(environment, 'serve', parsed.error)
    const tls = parseTlsOptions(options, named)
    if (!tls.ok) return misuse(environment, 'serve', tls.error)
    const wanted = ok({ ...parsed.value, ...tls.value })
    const logging = parseLogOptions(options, named)
    if (!logging.ok) return misuse(environment, 'serve', logging.error)
    const drain = wholeNumber(named('drain'), options.drain ?? '0', LONGEST_DRAIN_S)
    if (!drain.ok) return misuse(environment, 'serve', drain.error)
    const drainMs = drain.value * 1000
    const kept = options['keep-events']
    const keepEvents = kept === undefined ? ok(undefined) : wholeNumber(named('keep-events'), kept, 10_000_000, 1_000)
    if (!keepEvents.ok) return misuse(environment, 'serve', keepEvents.error)
    const metricsToken = options['metrics-token']
    const watched = metricsToken === undefined ? ok({}) : parseMetricsToken(metricsToken, named)
    if (!watched.ok) return misuse(environment, 'serve', watched.error)
    const traces = parseTraceOptions(options, named)
    if (!traces.ok) return misuse(environment, 'serve', traces.error)
    const part = parseRole(options, wanted.value, named)
    if (!part.ok) return misuse(environment, 'serve', part.error)
    const inputEnd = options['until-input-ends'] === true ? environment.inputEnd?.() : undefined
    const end = stopped(inputEnd === undefined ? environment.stop : AbortSignal.any([environment.stop, inputEnd]))
    const { database } = wanted.value
    if (part.value.role === 'service' && database !== undefined) {
      const how = { json: options.json === true, log: logging.value, stopped: end, drainMs }
      return serveService({ ...wanted.value, ...watched.value, database }, environment, how)
    }
    const folder = prepareDataFolder(wanted.value.dataDirectory, named('data'))
    if (!folder.ok) return misuse(environment, 'serve', folder.error)
    if (folder.value !== undefined) environment.terminal.error(`handset serve: ${folder.value}`)
    const { serviceUrl } = part.value
    const settings = {
      ...wanted.value,
      ...watched.value,
      ...traces.value,
      ...(keepEvents.value === undefined ? {} : { keepEvents: keepEvents.value }),
      ...(serviceUrl === undefined ? {} : { serviceUrl }),
    }
    const bench = await launch(settings, environment, logging.value)
    if (typeof bench === 'string') return failed(environment, 'serve', bench)
    const written = writeAuthority(bench.authority, options['tls-ca-out'])
    if (!written.ok) {
      await bench.close()
      return failed(environment, 'serve', written.error)
    }
    const { terminal } = environment
    terminal.out(options.json === true ? readyLine(bench) : readyText(bench, wanted.value, environment))
    tellIfNoPage(environment, 'serve')
    if (options.json !== true) offerKeys(bench, environment)
    const windowFolder = options.open === true ? openWindowFolder(wanted.value.dataDirectory) : undefined
    if (windowFolder !== undefined && !openBrowser(bench.invite(), { folder: windowFolder.path, environment })) {
      terminal.error('handset serve: no browser can be opened here; the address is above.')
    }
    const lost = await Promise.race([end.then(() => undefined), bench.lost])
    if (lost === undefined && options.json !== true) terminal.out(stoppingText(drainMs))
    await bench.close({ drainMs })
    windowFolder?.remove()
    return lost === undefined ? 0 : failed(environment, 'serve', startProblemText(lost))
  },
)

const LONGEST_DRAIN_S = 3600

const parseMetricsToken = (text: string, named: OptionName): Result<{ readonly metricsToken: string }, string> => {
  const token = parseControlToken(text, named('metrics-token'))
  return token.ok ? ok({ metricsToken: token.value }) : token
}

/** A running bench, or why it does not run. */
export const launch = async (
  wanted: WantedBench,
  environment: Environment,
  logging: LogOptions,
): Promise<Bench | string> => {
  const { root, version, terminal } = environment
  const bench = await startBench({
    ...wanted,
    version,
    pageFolder: pageFolderOf(root),
    log: terminalLog(terminal, logging),
  })
  return bench.ok ? bench.value : startProblemText(await namingHolder(bench.error, environment))
}

/** The page would only answer 503. */
export const tellIfNoPage = ({ root, terminal }: Environment, command: string): void => {
  if (existsSync(join(pageFolderOf(root), 'index.html'))) return
  terminal.error(`handset ${command}: the page is not built, all else works. Build it with "npm run build" in ${root}.`)
}

export const stopped = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) resolve()
    else stop.addEventListener('abort', () => resolve(), { once: true })
  })
