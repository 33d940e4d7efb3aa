import type { Tally } from '../../testing/load/tally.ts'
import { milliseconds } from '../../views/report/load-sentences.ts'
import type { Terminal } from '../terminal.ts'

/** What is seen while it runs. */
export type Progress = {
  registered(made: number, of: number): void
  second(tally: Tally, elapsedMs: number): void
  clear(): void
}

const LINE_EACH_S = 10

/** One line that changes where a person looks, else a line now and then. */
export const showProgress = (
  { status, out }: Terminal,
  { quiet, durationMs }: { readonly quiet: boolean; readonly durationMs: number },
): Progress => {
  if (quiet) return { registered: () => undefined, second: () => undefined, clear: () => undefined }
  return {
    registered: (made, of) => {
      const line = `  ${made} of ${of} users registered`
      if (status !== undefined) status(line)
      else if (made === of) out(line)
    },
    second: (tally, elapsedMs) => {
      const line = `  ${progressText(tally, elapsedMs, durationMs)}`
      if (status !== undefined) status(line)
      else if (Math.round(elapsedMs / 1000) % LINE_EACH_S === 0) out(line)
    },
    clear: () => status?.(''),
  }
}

const progressText = (tally: Tally, elapsedMs: number, durationMs: number): string => {
  const { arrived, done, failed, dropped } = tally.counts()
  const { p50, p99 } = tally.soFar()
  const underWay = arrived - done - failed - dropped
  return [
    `${Math.round(elapsedMs / 1000)} of ${Math.round(durationMs / 1000)} s`.padEnd(12),
    `${done} done`,
    ...(underWay > 0 ? [`${underWay} under way`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(dropped > 0 ? [`${dropped} dropped`] : []),
    ...(done > 0 ? [`p50 ${milliseconds(p50)}`, `p99 ${milliseconds(p99)}`] : []),
  ].join('  ')
}
