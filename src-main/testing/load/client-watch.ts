import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { LoadReport } from '../../core/contract/load-report.ts'

type Client = LoadReport['client']

/** Detects that the client itself limits a measurement. */
export const watchClient = () => {
  const loop = performance.eventLoopUtilization()
  const cpu = process.cpuUsage()
  const machine = machineTimes()
  return {
    read: (late: { readonly p99Ms: number; readonly medianMs: number }): Client => {
      const busy = performance.eventLoopUtilization(loop).utilization
      const { user, system } = process.cpuUsage(cpu)
      const now = machineTimes()
      const passed = now.all - machine.all
      const machineBusy = passed > 0 ? (now.used - machine.used) / passed : undefined
      return {
        limit: findClientLimit({ busy, machineBusy, ...late }),
        busy: rounded(busy),
        processor_ms: Math.round((user + system) / 1000),
        ...(machineBusy === undefined ? {} : { machine_busy: rounded(machineBusy) }),
        ...(Number.isNaN(late.p99Ms) ? {} : { late_p99_ms: late.p99Ms }),
      }
    },
  }
}

const BUSY = 0.9
const LATE_MS = 10
const MACHINE_BUSY = 0.95

/** The limit is `late` only if lateness is a notable part of the reported latency. */
export const findClientLimit = (seen: {
  readonly busy: number
  readonly machineBusy: number | undefined
  readonly p99Ms: number
  readonly medianMs: number
}): Client['limit'] => {
  const { busy, machineBusy = 0, p99Ms, medianMs } = seen
  if (busy >= BUSY) return 'busy'
  if (p99Ms >= LATE_MS && !(p99Ms < medianMs / 2)) return 'late'
  return machineBusy >= MACHINE_BUSY ? 'machine' : 'none'
}

/** Times of all processors together; all 0 if the system does not report them. */
const machineTimes = (): { readonly used: number; readonly all: number } => {
  let [used, idle] = [0, 0]
  for (const { times } of cpus()) {
    used += times.user + times.nice + times.sys + times.irq
    idle += times.idle
  }
  return { used, all: used + idle }
}

const rounded = (share: number): number => Math.round(share * 1000) / 1000
