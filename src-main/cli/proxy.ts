import type { Bench } from '../bench/assembly/bench.ts'
import { DEMO_RP } from '../bench/control/seed-data.ts'
import type { BenchEvent } from '../core/contract/events.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { ok } from '../core/protocol/result.ts'
import type { ForwardSettings } from '../service/forward/forward-rp.ts'
import type { RecordedExchange } from '../service/forward/recorded-answers.ts'
import { isAvailablePrefix, readProfileFile, type WantedBench } from './bench-options.ts'
import { type Environment, makeCommand, waitForStop } from './command.ts'
import { ifGiven, misuse } from './command-end.ts'
import { readOptionFile, readTraceFile } from './in-file.ts'
import { QUIET_LOG } from './log.ts'
import { checkHostNames, parseAccessKey, parseControlToken, parseServiceUrl } from './option-values.ts'
import type { Read } from './read-options.ts'
import { offerNewAddress, rowsFor } from './ready.ts'
import { failIfLost, launchBench, parseTraceOptions, warnIfNoPage } from './serve.ts'

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
  const { bold, blue, row } = rowsFor(terminal)
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

const wantedProxy = async ({ options, named }: Read<'proxy'>): Promise<WantedProxy> => {
  const { target, replay, 'allow-host': allowHosts = [] } = options
  if (target === undefined && replay === undefined)
    misuse(`it needs ${named('target')} URL, or ${named('replay')} FILE.`)
  const baseUrl = ifGiven(target, (text) => parseServiceUrl(text, named('target')))
  const appUrl = ifGiven(options['app-url'], (text) => parseServiceUrl(text, named('app-url')))
  const key = ifGiven(options['access-key'], (text) => parseAccessKey(text, named('access-key')))
  const keyed = key !== undefined
  const prefix = prefixFor(baseUrl, keyed, named('access-key'))
  const recorded = await ifGiven(replay, (file) => readExchanges(file, named('replay')))
  const profile = ifGiven(options.profile, (file) => readOptionFile(named('profile'), file, readProfileFile))
  const ca = ifGiven(options.ca, (file) => readOptionFile(named('ca'), file, ok))
  checkHostNames(allowHosts, named('allow-host'))
  const token = ifGiven(options.token, (text) => parseControlToken(text, named('token')))
  const rps = keyed ? [{ ...DEMO_RP, name: 'Your RP', keys: [key] }] : []
  return {
    ...{ port: options.port, hosts: options.host ?? [], allowHosts, prefix },
    ...parseTraceOptions(options, named),
    ...withoutUndefined({ token }),
    seedData: { rps, phones: [], ...withoutUndefined({ profile }) },
    forward: { ...withoutUndefined({ baseUrl, appUrl, ca, recorded }), patienceMs: options.patience * 1000, keyed },
  }
}

/** The target's own path, which signatures cover; `/fido` if the path is taken here and requests are re-signed. */
const prefixFor = (target: string | undefined, isKeyed: boolean, keyOption: string): string => {
  if (target === undefined) return '/fido'
  const path = new URL(target).pathname.replace(/\/+$/, '')
  if (path === '' || isAvailablePrefix(path)) return path
  return isKeyed
    ? '/fido'
    : misuse(`requests for the path ${path} must be signed anew, since it cannot be the same here: give ${keyOption}.`)
}

const readExchanges = async (file: string, name: string): Promise<readonly RecordedExchange[]> => {
  const found: RecordedExchange[] = []
  const event = (event: BenchEvent): void => {
    if (event.kind === 'exchange' && event.interface === 'rp') found.push(event)
  }
  await readTraceFile(file, { event }, { place: `${name}: ` })
  return found.length === 0 ? misuse(`${name}: ${file} has no call of an RP.`) : found
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
    const bench = await launchBench(wanted, environment, QUIET_LOG)
    const { terminal } = environment
    terminal.out(options.json === true ? proxyLine(bench, wanted.forward) : proxyText(bench, wanted, environment))
    warnIfNoPage(environment, 'proxy')
    if (options.json !== true) offerNewAddress(bench, environment)
    const lost = await Promise.race([waitForStop(environment.stop).then(() => undefined), bench.lost])
    await bench.close()
    return failIfLost(lost)
  },
)
