import type { Bench } from '../bench/assembly/bench-settings.ts'
import { DEMO_RP } from '../bench/control/seed-data.ts'
import { isHostName } from '../core/protocol/host-name.ts'
import { defined } from '../core/protocol/json.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import type { ForwardSettings } from '../service/forward/forward-rp.ts'
import type { RecordedExchange } from '../service/forward/recorded-answers.ts'
import { isFreePrefix, readProfileFile, type WantedBench } from './bench-options.ts'
import { parseTraceOptions } from './bench-trace-options.ts'
import { type Environment, failed, makeCommand, misuse } from './command.ts'
import { inFile, readTraceFile } from './in-file.ts'
import { QUIET } from './log.ts'
import { parseAccessKey, parseControlToken, parseServiceUrl } from './option-values.ts'
import type { proxyOptions } from './options.ts'
import { startProblemText } from './problem-texts.ts'
import type { ReadOptions } from './read-options.ts'
import { offerKeys } from './ready.ts'
import { launch, stopped, warnIfNoPage } from './serve.ts'
import { paintFor } from './terminal.ts'

/** The first line of `proxy --json`. */
const proxyLine = (bench: Bench, { baseUrl, appUrl }: ForwardSettings): string =>
  JSON.stringify({
    ready: true,
    base_url: bench.baseUrl,
    target: baseUrl ?? null,
    app_url: appUrl === undefined ? null : bench.appUrl,
    control_url: bench.controlUrl,
    ui_url: bench.invite(),
    token: bench.token,
    pid: process.pid,
  })

const proxyText = (
  bench: Bench,
  { forward, token, traces }: WantedProxy,
  { terminal, version }: Pick<Environment, 'terminal' | 'version'>,
): string => {
  const { bold, dim, blue } = paintFor(terminal)
  const row = (name: string, value: string, note = ''): string =>
    `  ${dim(name.padEnd(13))}${value}${note === '' ? '' : `  ${dim(note)}`}`
  const { baseUrl, appUrl, recorded, keyed } = forward
  return [
    `${bold(`Handset ${version}`)} stands between your RP and the service.`,
    '',
    row('Page', blue(bench.invite()), 'good once'),
    '',
    row('base_url', bench.baseUrl, 'for your RP'),
    row('  goes to', baseUrl ?? 'nowhere'),
    ...(recorded === undefined ? [] : [row('  answered', `${recorded.length} calls`, 'from the recording')]),
    ...(appUrl === undefined ? [] : [row('app_url', bench.appUrl), row('  goes to', appUrl)]),
    row('control_url', bench.controlUrl),
    row('token', token === undefined ? bench.token : 'the one that was given'),
    '',
    row(
      'signatures',
      keyed ? 'are explained, and made anew for the service' : 'pass as they are, without --access-key',
    ),
    ...(traces === undefined ? [] : [row('trace', traces.path, 'without secrets')]),
    '',
  ].join('\n')
}

type WantedProxy = WantedBench & { readonly forward: ForwardSettings }

const wantedProxy = async ({
  options,
  named,
}: ReadOptions<typeof proxyOptions>): Promise<Result<WantedProxy, string>> => {
  if (options.target === undefined && options.replay === undefined)
    return err(`it needs ${named('target')} URL, or ${named('replay')} FILE.`)
  const target = options.target === undefined ? ok(undefined) : parseServiceUrl(options.target, named('target'))
  if (!target.ok) return target
  const appUrl =
    options['app-url'] === undefined ? ok(undefined) : parseServiceUrl(options['app-url'], named('app-url'))
  if (!appUrl.ok) return appUrl
  const given = options['access-key']
  const key = given === undefined ? ok(undefined) : parseAccessKey(given, named('access-key'))
  if (!key.ok) return key
  const prefix = prefixFor(target.value, key.value !== undefined, named('access-key'))
  if (!prefix.ok) return prefix
  const recorded = options.replay === undefined ? ok(undefined) : await readExchanges(options.replay, named('replay'))
  if (!recorded.ok) return recorded
  const profile =
    options.profile === undefined ? ok(undefined) : inFile(named('profile'), options.profile, readProfileFile)
  if (!profile.ok) return profile
  const ca = options.ca === undefined ? ok(undefined) : inFile(named('ca'), options.ca, (text) => ok(text))
  if (!ca.ok) return ca
  const allowHosts = options['allow-host'] ?? []
  const noName = allowHosts.find((name) => !isHostName(name))
  if (noName !== undefined)
    return err(`${named('allow-host')} must be a name such as handset or handset:7420; got "${noName}".`)
  const token = options.token === undefined ? ok(undefined) : parseControlToken(options.token, named('token'))
  if (!token.ok) return token
  const traces = parseTraceOptions(options, named)
  if (!traces.ok) return traces
  return ok({
    ...{ port: options.port, hosts: options.host ?? [], allowHosts, prefix: prefix.value },
    ...traces.value,
    ...defined({ token: token.value }),
    seedData: {
      rps: key.value === undefined ? [] : [{ ...DEMO_RP, name: 'Your RP', keys: [key.value] }],
      phones: [],
      ...defined({ profile: profile.value }),
    },
    forward: {
      ...defined({ baseUrl: target.value, appUrl: appUrl.value, ca: ca.value, recorded: recorded.value }),
      patienceMs: options.patience * 1000,
      keyed: key.value !== undefined,
    },
  })
}

/** The target's own path, which signatures cover; `/fido` if it is taken here and requests are re-signed. */
const prefixFor = (target: string | undefined, isKeyed: boolean, keyOption: string): Result<string, string> => {
  if (target === undefined) return ok('/fido')
  const path = new URL(target).pathname.replace(/\/+$/, '')
  if (path === '' || isFreePrefix(path)) return ok(path)
  return isKeyed
    ? ok('/fido')
    : err(`requests for the path ${path} must be signed anew, since it cannot be the same here: give ${keyOption}.`)
}

const readExchanges = async (file: string, name: string): Promise<Result<readonly RecordedExchange[], string>> => {
  const found: RecordedExchange[] = []
  const read = await readTraceFile(file, {
    event: (event) => {
      if (event.kind === 'exchange' && event.interface === 'rp') found.push(event)
    },
  })
  if (!read.ok) return err(`${name}: ${read.error}`)
  return found.length === 0 ? err(`${name}: ${file} has no call of an RP.`) : ok(found)
}

export const proxy = makeCommand(
  {
    name: 'proxy',
    usage: '--target URL [OPTIONS]',
    more: [
      'Point your RP at the base_url it prints. What passes appears in the page like on a bench; faults and network conditions that are armed there strike the answers of the service.',
      'Without --access-key a request is passed on with the Host header that it came with, or its signature would no longer hold.',
      'Nothing is kept but what --trace writes, which has no secrets. Ctrl-C or SIGTERM ends it.',
    ],
  },
  async (parsed, environment) => {
    const { options } = parsed
    const wanted = await wantedProxy(parsed)
    if (!wanted.ok) return misuse(environment, 'proxy', wanted.error)
    const bench = await launch(wanted.value, environment, QUIET)
    if (typeof bench === 'string') return failed(environment, 'proxy', bench)
    const { terminal } = environment
    terminal.out(
      options.json === true ? proxyLine(bench, wanted.value.forward) : proxyText(bench, wanted.value, environment),
    )
    warnIfNoPage(environment, 'proxy')
    if (options.json !== true) offerKeys(bench, environment)
    const lost = await Promise.race([stopped(environment.stop).then(() => undefined), bench.lost])
    await bench.close()
    return lost === undefined ? 0 : failed(environment, 'proxy', startProblemText(lost))
  },
)
