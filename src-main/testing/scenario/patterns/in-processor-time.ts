import { isObject } from '../../../core/protocol/json.ts'

/** A run may take this much of the processor. */
const MOST_MS = 200
/** By the clock, with a processor that gives the thread no time. */
const LONGEST_MS = 30_000
/** The watchdog rings a little early. */
const NEARLY = 0.9

/** Missing before Node 22.15. */
const { threadCpuUsage } = process as { readonly threadCpuUsage?: () => NodeJS.CpuUsage }

/** What this thread has had of the processor, or, where Node cannot tell, this process. */
const threadMs = (): number => {
  const { user, system } = threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/**
 * What `run` returns; undefined when it takes too much of the processor. It is given how long it may take by the clock
 * (a watchdog knows no other time) and, where other work had the processor, is given longer.
 */
export const inProcessorTime = <T>(
  run: (timeoutMs: number) => T,
  spentMs: () => number = threadMs,
): { readonly value: T } | undefined => {
  for (let timeoutMs = MOST_MS; timeoutMs <= LONGEST_MS; timeoutMs *= 2) {
    const before = spentMs()
    try {
      return { value: run(timeoutMs) }
    } catch (error) {
      if (!isTimeout(error)) throw error
    }
    if (spentMs() - before >= MOST_MS * NEARLY) return undefined
  }
  return undefined
}

/** An error of another context is no Error of this one. */
const isTimeout = (error: unknown): boolean => isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
