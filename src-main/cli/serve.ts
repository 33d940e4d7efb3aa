import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Bench, startBench } from '../bench/assembly/bench.ts'
import { startServiceProcess } from '../bench/assembly/service-process.ts'
import { builtPageFolder } from '../bench/control/page.ts'
import { realClock } from '../bench/harness/clock.ts'
import type { TraceFileSettings } from '../bench/harness/trace-files.ts'
import { checkCertificate } from '../bench/tls/given-certificate.ts'
import type { TlsSetting } from '../bench/tls/tls-identity.ts'
import { createTrustStore } from '../bench/tls/trust-store.ts'
import type { StartProblem } from '../core/contract/start-problems.ts'
import { en } from '../core/messages/en/en.ts'
import { textOf } from '../core/protocol/coded.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { ok } from '../core/protocol/result.ts'
import { makeFolder } from '../disk/data-directory.ts'
import { readRunningBench } from '../service/store/announce-bench.ts'
import { isWebOrigin, parseBenchOptions, type WantedBench } from './bench-options.ts'
import { defaultDataDirectory, type Environment, type Machine, makeCommand, waitForStop } from './command.ts'
import { fail, ifGiven, misuse } from './command-end.ts'
import { fileRefusal, prepareDataFolder } from './data-folder.ts'
import { defaultConfig } from './find-project-file.ts'
import { readOptionFile } from './in-file.ts'
import { LOG_FORMS, LOG_LEVELS, type LogOptions, terminalLog } from './log.ts'
import { openBrowser, openWindowFolder } from './open-browser.ts'
import { parseControlToken } from './option-values.ts'
import { type ParsedOptions, serveOptions } from './options.ts'
import { startProblemText } from './problem-texts.ts'
import type { NameOption } from './read-options.ts'
import { offerNewAddress, readyLine, readyText, rowsFor } from './ready.ts'

const parseWord = <const W extends string>(text: string, known: readonly W[], name: string): W =>
  known.find((each) => each === text) ?? misuse(`${name} must be ${known.join(', ')}; got "${text}".`)

const MIB = 1024 * 1024

export const parseTraceOptions = (
  options: { readonly trace?: string; readonly 'trace-limit'?: number },
  named: NameOption,
): { readonly traces?: TraceFileSettings } => {
  const limit = options['trace-limit'] ?? serveOptions['trace-limit'].usual
  if (options.trace === undefined) return {}
  const path = resolve(options.trace)
  const file = path.endsWith('.handset')
  if (file && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    misuse(`${named('trace')}: ${path} is a folder; name a file that ends in .handset, or a folder that does not.`)
  try {
    const folder = file ? dirname(path) : path
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    misuse(`${named('trace')}: ${path} cannot be written: ${error instanceof Error ? error.message : error}.`)
  }
  return { traces: { path, bytes: limit * MIB } }
}

const TIMEOUT_MS = 1000

/** If another Handset uses the port, the problem names it, with its data directory if known. */
const namingHolder = async (problem: StartProblem, machine: Machine): Promise<StartProblem> => {
  if (problem.code !== 'cannot_listen' || problem.params.errno !== 'EADDRINUSE') return problem
  const { host, port } = problem.params
  const directory = defaultDataDirectory(machine)
  const running = readRunningBench(directory)
  if (running.ok && URL.parse(running.value?.control_url ?? '')?.port === String(port)) {
    return { code: 'port_of_handset', params: { port, directory } }
  }
  const at = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`
  const health = await fetch(at, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
    .then((answer) => (answer.headers.get('content-length') === '3' ? answer.text() : ''))
    .catch(() => '')
  return health === 'ok\n' ? { code: 'port_of_handset', params: { port } } : problem
}

const ROLES = ['all', 'service', 'bench'] as const
type Role = (typeof ROLES)[number]

type RoleOptions = { readonly role?: string; readonly 'service-url'?: string }

export const parseRole = (
  options: RoleOptions,
  { database, dataDirectory, tls, metadata }: WantedBench & { readonly tls?: unknown },
  named: NameOption,
): { readonly role: Role; readonly serviceUrl?: string } => {
  const { 'service-url': serviceUrl } = options
  const role = parseWord(options.role ?? 'all', ROLES, named('role'))
  if (role !== 'all' && database === undefined)
    misuse(`${named('role')} ${role} shares its data with other processes: name their database with --store.`)
  if (role === 'service' && dataDirectory !== undefined)
    misuse(`${named('role')} service keeps nothing itself; ${named('data')} is for the bench.`)
  if (role === 'service' && tls !== undefined)
    misuse(`${named('role')} service speaks http to its balancer, which speaks https to the others: leave out --tls.`)
  if (role === 'bench' && metadata !== undefined)
    misuse(`${named('role')} bench judges nothing: give ${named('mds')} to the processes with --role service.`)
  if (role === 'bench' && serviceUrl === undefined)
    misuse(`${named('role')} bench needs --service-url: where RPs and phones find the service.`)
  if (serviceUrl === undefined) return { role }
  if (role !== 'bench') misuse(`${named('service-url')} is for --role bench.`)
  if (!isWebOrigin(serviceUrl))
    misuse(
      `${named('service-url')} must be an origin such as https://fido.example, without a path; got "${serviceUrl}".`,
    )
  return { role, serviceUrl }
}

type How = {
  readonly json: boolean
  readonly log: LogOptions
  readonly drainMs: number
  readonly stopped: Promise<void>
}

/** `serve --role service` has no page, no token and no key: those belong to the bench. */
const serveService = async (
  wanted: WantedBench & { readonly metricsToken?: string; readonly database: NonNullable<WantedBench['database']> },
  environment: Environment,
  { json, log, drainMs, stopped }: How,
): Promise<0> => {
  const { terminal, version } = environment
  const started = await startServiceProcess({ ...wanted, version, log: terminalLog(terminal, log) })
  if (!started.ok) return fail(startProblemText(started.error))
  const { baseUrl: base_url, appUrl: app_url, port, close } = started.value
  if (json) terminal.out(JSON.stringify({ ready: true, role: 'service', base_url, app_url, port, pid: process.pid }))
  else {
    const { bold, dim, row } = rowsFor(terminal)
    terminal.out(
      [
        `${bold(`Handset ${version}`)} is ready, one process of its service.`,
        '',
        row('base_url', base_url),
        row('app_url', app_url),
        row('database', wanted.database.shown),
        '',
        dim('Ctrl-C ends it.'),
      ].join('\n'),
    )
  }
  await stopped
  if (!json) terminal.out(stoppingText(drainMs))
  await close({ drainMs })
  return 0
}

type TlsOptions = Pick<ParsedOptions<typeof serveOptions>, 'tls' | 'tls-cert' | 'tls-key' | 'tls-ca-out'>

export const parseTlsOptions = (options: TlsOptions, named: NameOption): { readonly tls?: TlsSetting } => {
  const { tls, 'tls-cert': certificate, 'tls-key': key, 'tls-ca-out': files = [] } = options
  const strange = files.find((file) => !isPem(file) && !isStore(file))
  if (strange !== undefined)
    misuse(`${named('tls-ca-out')} must end in .pem, .crt, .p12 or .pfx, which says what is written; got "${strange}".`)
  if (files.length > 0 && tls !== true) misuse(`${named('tls-ca-out')} writes the CA that --tls makes: give --tls.`)
  if (tls === true) return { tls: 'generated' }
  if (certificate === undefined && key === undefined) return {}
  if (certificate === undefined) return misuse(`${named('tls-key')} needs --tls-cert, the certificate of that key.`)
  if (key === undefined) return misuse(`${named('tls-cert')} needs --tls-key, the private key of that certificate.`)
  const pair = {
    certificate: readOptionFile(named('tls-cert'), certificate, ok),
    key: readOptionFile(named('tls-key'), key, ok),
  }
  const checked = checkCertificate(pair, realClock.now())
  if (checked.ok) return { tls: checked.value }
  const problem = checked.error
  const [option, file] = problem.of === 'key' ? ['tls-key', key] : ['tls-cert', certificate]
  return misuse(`${named(option)}: ${file}: ${textOf(en.certificateProblems, problem)}.`)
}

const isPem = (file: string): boolean => /\.(pem|crt)$/i.test(file)
const isStore = (file: string): boolean => /\.(p12|pfx)$/i.test(file)

/** Writes the CA certificate to files that all users can read: a certificate is public. */
export const writeAuthority = (authority: string | undefined, files: readonly string[] = []): void => {
  if (authority === undefined) return
  for (const file of files) {
    try {
      writeFileSync(file, isStore(file) ? createTrustStore(authority) : authority)
    } catch (reason) {
      fail(`--tls-ca-out: ${file} cannot be written: ${fileRefusal(reason, file)}.`)
    }
  }
}

const stoppingText = (drainMs: number): string =>
  drainMs === 0 ? '\nStopping.' : `\nStopping in ${drainMs / 1000} s; Ctrl-C again ends it at once.`

export const serve = makeCommand(
  {
    name: 'serve',
    usage: '[OPTIONS]',
    more: ['Without --data everything is in memory and ends with the program.', 'Ctrl-C or SIGTERM ends it.'],
    defaults: async (given, { terminal }) => defaultConfig('serve', given, terminal),
  },
  async ({ options, named }, environment) => {
    const usual = parseBenchOptions(options, named)
    const tls = parseTlsOptions(options, named)
    const { 'log-level': level = options.verbose === true ? 'info' : 'warn' } = options
    const form = parseWord(options.log, LOG_FORMS, named('log'))
    const log = { form, level: parseWord(level, LOG_LEVELS, named('log-level')) }
    const metricsToken = ifGiven(options['metrics-token'], (text) => parseControlToken(text, named('metrics-token')))
    const traces = parseTraceOptions(options, named)
    const wanted = { ...usual, ...tls, ...withoutUndefined({ metricsToken }) }
    const { role, serviceUrl } = parseRole(options, wanted, named)
    const { drain, 'keep-events': keepEvents } = options
    const drainMs = drain * 1000
    const inputEnd = options['until-input-ends'] === true ? environment.inputEnd?.() : undefined
    const end = waitForStop(inputEnd === undefined ? environment.stop : AbortSignal.any([environment.stop, inputEnd]))
    const { database, dataDirectory } = wanted
    if (role === 'service' && database !== undefined) {
      const how = { json: options.json === true, log, stopped: end, drainMs }
      return serveService({ ...wanted, database }, environment, how)
    }
    prepareData('serve', { dataDirectory, named }, environment)
    const settings = { ...wanted, ...traces, ...withoutUndefined({ keepEvents, serviceUrl }) }
    const bench = await launchBench(settings, environment, log)
    try {
      writeAuthority(bench.authority, options['tls-ca-out'])
    } catch (reason) {
      await bench.close()
      throw reason
    }
    const { terminal } = environment
    terminal.out(
      options.json === true ? readyLine(bench) : readyText(bench, { ...wanted, config: options.config }, environment),
    )
    warnIfNoPage(environment, 'serve')
    if (options.json !== true) offerNewAddress(bench, environment)
    const windowFolder = options.open === true ? openWindowFolder(dataDirectory) : undefined
    if (windowFolder !== undefined && !openBrowser(bench.invite(), { folder: windowFolder.path, environment })) {
      terminal.error('handset serve: no browser can be opened here; the address is above.')
    }
    const lost = await Promise.race([end.then(() => undefined), bench.lost])
    if (lost === undefined && options.json !== true) terminal.out(stoppingText(drainMs))
    await bench.close({ drainMs })
    windowFolder?.remove()
    return failIfLost(lost)
  },
)

/** Prepares the data folder, and warns if other users may write in it. */
export const prepareData = (
  command: 'serve' | 'start',
  { dataDirectory, named }: { readonly dataDirectory: string | undefined; readonly named: NameOption },
  { terminal }: Environment,
): void => {
  const warning = prepareDataFolder(dataDirectory, named('data'))
  if (warning !== undefined) terminal.error(`handset ${command}: ${warning}`)
}

/** Returns 0 if the bench was ended on purpose; the command fails if the bench ended by itself. */
export const failIfLost = (lost: StartProblem | undefined): 0 => (lost === undefined ? 0 : fail(startProblemText(lost)))

export const launchBench = async (
  wanted: WantedBench,
  environment: Environment,
  logging: LogOptions,
): Promise<Bench> => {
  const { root, version, terminal } = environment
  const bench = await startBench({
    ...wanted,
    version,
    pageFolder: builtPageFolder(root),
    log: terminalLog(terminal, logging),
  })
  return bench.ok ? bench.value : fail(startProblemText(await namingHolder(bench.error, environment)))
}

/** Warns if the page was not built, since its address would only answer 503. */
export const warnIfNoPage = ({ root, terminal }: Environment, command: string): void => {
  if (existsSync(join(builtPageFolder(root), 'index.html'))) return
  terminal.error(`handset ${command}: the page is not built, all else works. Build it with "npm run build" in ${root}.`)
}
