import { readdirSync } from 'node:fs'
import { gaugeText } from './instruments.ts'
import { createLoopDelay, type LoopDelay } from './loop-delay.ts'

let delay: LoopDelay | undefined

/** What a process uses, under the names that other programs give it. The event loop is watched from the first time on. */
export const processText = (): string => {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  delay ??= createLoopDelay()
  return [
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
      {
        name: 'nodejs_eventloop_delay_p99_seconds',
        help: 'How late the event loop was, over the last one to two minutes.',
      },
      delay.p99(),
    ),
  ].join('')
}

const openFiles = (): number | undefined => {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}
