import type { Bench } from '../bench/assembly/bench.ts'
import type { WantedBench } from './bench-options.ts'
import type { Environment } from './command.ts'
import { paintFor, type Terminal } from './terminal.ts'

/** The first line of `serve --json`. */
export const readyLine = (bench: Bench): string =>
  JSON.stringify({
    ready: true,
    base_url: bench.baseUrl,
    app_url: bench.appUrl,
    control_url: bench.controlUrl,
    ui_url: bench.invite(),
    token: bench.token,
    ca: bench.authority ?? null,
    access_key_id: bench.rp?.accessKeyId ?? null,
    secret_key: bench.rp?.secretKey ?? null,
    rp_id: bench.rp?.rp_id ?? null,
    origins: bench.rp?.origins ?? [],
    pid: process.pid,
  })

/** At a terminal, each Enter prints a new address for the page. */
export const offerNewAddress = (
  bench: Bench,
  { terminal, onEnter }: Pick<Environment, 'terminal' | 'onEnter'>,
): void => {
  const { dim, blue } = paintFor(terminal)
  onEnter?.(() => terminal.out(`  ${blue(bench.invite())}`))
  terminal.out(
    dim(onEnter === undefined ? 'Ctrl-C ends it.' : 'Enter prints a new address for the page, Ctrl-C ends it.'),
  )
}

export const readyText = (
  bench: Bench,
  { dataDirectory, database, seed, token, config }: WantedBench & { readonly config?: string | undefined },
  { terminal, version }: Pick<Environment, 'terminal' | 'version'>,
): string => {
  const { bold, blue, row } = rowsFor(terminal)
  const { rp } = bench
  return [
    `${bold(`Handset ${version}`)} is ready.`,
    '',
    row('Page', blue(bench.invite()), 'good once'),
    '',
    row('base_url', bench.baseUrl),
    row('app_url', bench.appUrl),
    row('control_url', bench.controlUrl),
    // A given token is not printed: the user already has it, and many people can read a CI log.
    row('token', token === undefined ? bench.token : 'the one that was given'),
    '',
    ...(rp === undefined
      ? [row('RP', 'none')]
      : [
          row('RP', rp.name, `RP ID ${rp.rp_id}, ${rp.origins.join(', ')}`),
          row('access key', rp.accessKeyId),
          row('secret', rp.secretKey),
        ]),
    '',
    ...(database === undefined ? [] : [row('database', database.shown)]),
    row(database === undefined ? 'data' : 'phones', dataDirectory ?? 'in memory'),
    ...(config === undefined ? [] : [row('config', config)]),
    ...(seed === undefined ? [] : [row('seed', String(seed))]),
    '',
  ].join('\n')
}

export const rowsFor = (terminal: Terminal) => {
  const { dim, ...paint } = paintFor(terminal)
  const row = (name: string, value: string, note = ''): string =>
    `  ${dim(name.padEnd(13))}${value}${note === '' ? '' : `  ${dim(note)}`}`
  return { ...paint, dim, row }
}
