import type { Bench } from '../bench/assembly/bench-settings.ts'
import { DEMO_RP } from '../bench/control/seed-data.ts'
import { isHostName } from '../core/protocol/host-name.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { allOf, err, ifGiven, ok, type Result } from '../core/protocol/result.ts'
import type { ForwardSettings } from '../service/forward/forward-rp.ts'
import type { RecordedExchange } from '../service/forward/recorded-answers.ts'
import { isAvailablePrefix, readProfileFile, type WantedBench } from './bench-options.ts'
import { parseTraceOptions } from './bench-trace-options.ts'
import { type Environment, fail, makeCommand, misuse } from './command.ts'
import { readOptionFile, readTraceFile } from './in-file.ts'
import { QUIET_LOG } from './log.ts'
import { parseAccessKey, parseControlToken, parseServiceUrl } from './option-values.ts'
import type { proxyOptions } from './options.ts'
import { startProblemText } from './problem-texts.ts'
import type { ReadOptions } from './read-options.ts'
import { offerNewAddress } from './ready.ts'
import { launchBench, waitForStop, warnIfNoPage } from './serve.ts'
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
  const { replay } = options
  const read = allOf({
    baseUrl: ifGiven(options.target, (text) => parseServiceUrl(text, named('target'))),
    appUrl: ifGiven(options['app-url'], (text) => parseServiceUrl(text, named('app-url'))),
    key: ifGiven(options['access-key'], (text) => parseAccessKey(text, named('access-key'))),
  })
  if (!read.ok) return read
  const { key, ...urls } = read.value
  const keyed = key !== undefined
  const more = allOf({
    prefix: prefixFor(urls.baseUrl, keyed, named('access-key')),
    recorded: replay === undefined ? ok(undefined) : await readExchanges(replay, named('replay')),
    profile: ifGiven(options.profile, (file) => readOptionFile(named('profile'), file, readProfileFile)),
    ca: ifGiven(options.ca, (file) => readOptionFile(named('ca'), file, ok)),
  })
  if (!more.ok) return more
  const { prefix, recorded, profile, ca } = more.value
  const allowHosts = options['allow-host'] ?? []
  const noName = allowHosts.find((name) => !isHostName(name))
  if (noName !== undefined)
    return err(`${named('allow-host')} must be a name such as handset or handset:7420; got "${noName}".`)
  const token = ifGiven(options.token, (text) => parseControlToken(text, named('token')))
  if (!token.ok) return token
  const traces = parseTraceOptions(options, named)
  if (!traces.ok) return traces
  const rps = keyed ? [{ ...DEMO_RP, name: 'Your RP', keys: [key] }] : []
  return ok({
    ...{ port: options.port, hosts: options.host ?? [], allowHosts, prefix },
    ...traces.value,
    ...withoutUndefined({ token: token.value }),
    seedData: { rps, phones: [], ...withoutUndefined({ profile }) },
    forward: { ...withoutUndefined({ ...urls, ca, recorded }), patienceMs: options.patience * 1000, keyed },
  })
}

/** The target's own path, which signatures cover; `/fido` if it is taken here and requests are re-signed. */
const prefixFor = (target: string | undefined, isKeyed: boolean, keyOption: string): Result<string, string> => {
  if (target === undefined) return ok('/fido')
  const path = new URL(target).pathname.replace(/\/+$/, '')
  if (path === '' || isAvailablePrefix(path)) return ok(path)
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
    const bench = await launchBench(wanted.value, environment, QUIET_LOG)
    if (typeof bench === 'string') return fail(environment, 'proxy', bench)
    const { terminal } = environment
    terminal.out(
      options.json === true ? proxyLine(bench, wanted.value.forward) : proxyText(bench, wanted.value, environment),
    )
    warnIfNoPage(environment, 'proxy')
    if (options.json !== true) offerNewAddress(bench, environment)
    const lost = await Promise.race([waitForStop(environment.stop).then(() => undefined), bench.lost])
    await bench.close()
    return lost === undefined ? 0 : fail(environment, 'proxy', startProblemText(lost))
  },
)
