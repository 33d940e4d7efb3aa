import type { Bench } from '../bench/bench-settings.ts'
import type { ForwardSettings } from '../service/forward/forward-settings.ts'
import type { Environment } from './command.ts'
import type { WantedProxy } from './proxy-options.ts'
import { paintFor } from './terminal.ts'

/** The first line of `proxy --json`. */
export const proxyLine = (bench: Bench, { baseUrl, appUrl }: ForwardSettings): string =>
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

export const proxyText = (
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
