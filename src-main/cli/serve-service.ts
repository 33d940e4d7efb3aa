import { startServiceProcess } from '../bench/service-process.ts'
import type { WantedBench } from './bench-options.ts'
import { type Environment, type ExitCode, failed } from './command.ts'
import { type LogOptions, terminalLog } from './log.ts'
import { startProblemText } from './problem-texts.ts'
import { stoppingText } from './stopping-text.ts'
import { paintFor } from './terminal.ts'

type How = {
  readonly json: boolean
  readonly log: LogOptions
  readonly drainMs: number
  readonly stopped: Promise<void>
}

/** `serve --role service`: no page, no token, no key; the bench has those. */
export const serveService = async (
  wanted: WantedBench & {
    readonly metricsToken?: string
    readonly database: NonNullable<WantedBench['database']>
  },
  environment: Environment,
  { json, log, drainMs, stopped }: How,
): Promise<ExitCode> => {
  const { terminal, version } = environment
  const started = await startServiceProcess({ ...wanted, version, log: terminalLog(terminal, log) })
  if (!started.ok) return failed(environment, 'serve', startProblemText(started.error))
  const { baseUrl: base_url, appUrl: app_url, port, close } = started.value
  if (json) terminal.out(JSON.stringify({ ready: true, role: 'service', base_url, app_url, port, pid: process.pid }))
  else {
    const { bold, dim } = paintFor(terminal)
    const row = (name: string, value: string): string => `  ${dim(name.padEnd(13))}${value}`
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
