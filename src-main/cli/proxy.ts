import type { Bench } from '../bench/bench-settings.ts'
import type { ForwardSettings } from '../service/forward/forward-mounts.ts'
import { type Environment, failed, makeCommand, misuse } from './command.ts'

import { QUIET } from './log.ts'
import { proxyOptions } from './option-tables/serving-options.ts'
import { startProblemText } from './problem-texts.ts'
import { type WantedProxy, wantedProxy } from './proxy-options.ts'

import { offerKeys } from './ready.ts'
import { launch, stopped, tellIfNoPage } from './serve.ts'
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

export const proxy = makeCommand(
  {
    name: 'proxy',
    usage: '--target URL [OPTIONS]',
    options: proxyOptions,
    more: [
      'Point your RP at the base_url it prints. What passes appears in the page like on a bench; faults and network conditions that are armed there strike the answers of the service.',
      'Without --access-key a request is passed on with the Host header that it came with, or its signature would no longer hold.',
      'Nothing is kept but what --trace writes, which has no secrets. Ctrl-C or SIGTERM ends it.',
    ],
  },
  async (parsed, environment) => {
    const { options, positionals } = parsed
    const [stranger] = positionals
    if (stranger !== undefined) return misuse(environment, 'proxy', `it takes no "${stranger}".`)
    const wanted = await wantedProxy(parsed)
    if (!wanted.ok) return misuse(environment, 'proxy', wanted.error)
    const bench = await launch(wanted.value, environment, QUIET)
    if (typeof bench === 'string') return failed(environment, 'proxy', bench)
    const { terminal } = environment
    terminal.out(
      options.json === true ? proxyLine(bench, wanted.value.forward) : proxyText(bench, wanted.value, environment),
    )
    tellIfNoPage(environment, 'proxy')
    if (options.json !== true) offerKeys(bench, environment)
    const lost = await Promise.race([stopped(environment.stop).then(() => undefined), bench.lost])
    await bench.close()
    return lost === undefined ? 0 : failed(environment, 'proxy', startProblemText(lost))
  },
)
