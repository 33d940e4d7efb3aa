import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, startBench } from '../bench.ts'
import { ok } from '../protocol/result.ts'
import { parseBenchOptions, type WantedBench } from './bench-options.ts'
import { type Environment, failed, makeCommand, misuse } from './command.ts'
import { prepareDataFolder } from './data-folder.ts'
import { terminalLog } from './log.ts'
import { openBrowser } from './open-browser.ts'
import { serveOptions } from './option-tables.ts'
import { offerKeys, readyLine, readyText } from './ready.ts'
import { parseRole } from './roles.ts'
import { serveService } from './serve-service.ts'
import { parseTlsOptions, writeAuthority } from './tls-options.ts'
import { openWindowFolder } from './window-folder.ts'

const PAGE_FOLDER = 'out/renderer'

export const serve = makeCommand(
  {
    name: 'serve',
    usage: '[OPTIONS]',
    summary: 'The service, the phones, the control interface and the page, without a window.',
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
    const part = parseRole(options, wanted.value, named)
    if (!part.ok) return misuse(environment, 'serve', part.error)
    const inputEnd = options['until-input-ends'] === true ? environment.inputEnd?.() : undefined
    const end = stopped(inputEnd === undefined ? environment.stop : AbortSignal.any([environment.stop, inputEnd]))
    const { database } = wanted.value
    if (part.value.role === 'service' && database !== undefined) {
      const how = { json: options.json === true, verbose: options.verbose === true, stopped: end }
      return serveService({ ...wanted.value, database }, environment, how)
    }
    const folder = prepareDataFolder(wanted.value.dataDirectory, named('data'))
    if (!folder.ok) return misuse(environment, 'serve', folder.error)
    const { serviceUrl } = part.value
    const settings = serviceUrl === undefined ? wanted.value : { ...wanted.value, serviceUrl }
    const bench = await launch(settings, environment, options.verbose === true)
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
    await end
    if (options.json !== true) terminal.out('\nStopping.')
    await bench.close()
    windowFolder?.remove()
    return 0
  },
)

/** A running bench, or why it does not run. */
export const launch = async (
  wanted: WantedBench,
  { root, version, terminal }: Environment,
  verbose: boolean,
): Promise<Bench | string> => {
  const bench = await startBench({
    ...wanted,
    version,
    pageFolder: join(root, PAGE_FOLDER),
    log: terminalLog(terminal, verbose),
  })
  return bench.ok ? bench.value : bench.error
}

/** Somebody who opens the page would find only that it answers 503. */
export const tellIfNoPage = ({ root, terminal }: Environment, command: string): void => {
  if (existsSync(join(root, PAGE_FOLDER, 'index.html'))) return
  terminal.error(`handset ${command}: the page is not built, all else works. Build it with "npm run build" in ${root}.`)
}

export const stopped = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) resolve()
    else stop.addEventListener('abort', () => resolve(), { once: true })
  })
