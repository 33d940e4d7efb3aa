import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gaugeText } from './families.ts'

let delay: ReturnType<typeof monitorEventLoopDelay> | undefined

/** What a process uses, under the names that other programs give it. The event loop is watched from the first time on. */
export const processText = (): string => {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const text = [
    gaugeText(
      { name: 'process_cpu_seconds_total', help: 'Processor time, user and system.' },
      (user + system) / 1e6,
      'counter',
    ),
    gaugeText({ name: 'process_resident_memory_bytes', help: 'Resident memory.' }, rss),
    gaugeText(
      { name: 'process_start_time_seconds', help: 'When it was started, since 1970.' },
      performance.timeOrigin / 1e3,
    ),
    gaugeText({ name: 'process_open_fds', help: 'Open files and sockets.' }, openFiles()),
    gaugeText({ name: 'nodejs_heap_used_bytes', help: 'Heap in use.' }, heapUsed),
    gaugeText({ name: 'nodejs_heap_total_bytes', help: 'Heap that is reserved.' }, heapTotal),
    gaugeText(
      { name: 'nodejs_eventloop_delay_p99_seconds', help: 'How late the event loop was, since this was read before.' },
      delay === undefined || delay.count === 0 ? 0 : delay.percentile(99) / 1e9,
    ),
  ].join('')
  if (delay === undefined) {
    delay = monitorEventLoopDelay({ resolution: 20 })
    delay.enable()
  } else delay.reset()
  return text
}

const openFiles = (): number | undefined => {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}
