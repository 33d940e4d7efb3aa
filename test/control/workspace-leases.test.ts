import { expect, test } from 'vitest'
import type { WorkspaceAbout } from '../../src-main/contract/control/workspace-about.ts'
import { createWorkspaceLeases } from '../../src-main/control/workspace-leases.ts'
import { createBenchClock } from '../../src-main/harness/clock.ts'
import { createRecorder } from '../../src-main/harness/recorder.ts'
import type { LogLine } from '../../src-main/protocol/log.ts'
import { ok } from '../../src-main/protocol/result.ts'
import type { Admin } from '../../src-main/service/admin/admin.ts'

/** The lease of a workspace, on a clock that stands. */
const stage = ({ refusals = [] }: { readonly refusals?: (() => Promise<never>)[] } = {}) => {
  const log: LogLine[] = []
  const real = createBenchClock({ start: { now: 1_000_000, frozen: true } })
  const recorder = createRecorder({ wall: real, bench: () => real })
  const abouts: Record<string, WorkspaceAbout> = { w: { lease_ms: 10_000 } }
  const closed: string[] = []
  const leases = createWorkspaceLeases({
    admin: { workspaces: { about: (id: string) => abouts[id] ?? {} } } as Admin,
    closeWorkspace: async (id) => {
      await refusals.shift()?.()
      closed.push(id)
      recorder.forget(id)
      return ok(null)
    },
    recorder,
    real,
    closing: new AbortController().signal,
    log: (line) => void log.push(line),
  })
  leases.arm('w')
  return { real, recorder, abouts, closed, leases, log }
}

test('[control.abandoned] an unused workspace is closed when its lease ends, once, and main hears of it', async () => {
  const { real, recorder, closed } = stage()
  await real.advance(9_999)
  expect(closed).toEqual([])
  await real.advance(1)
  expect(closed).toEqual(['w'])
  await real.advance(100_000)
  expect(closed).toEqual(['w'])
  expect(recorder.read('main').events).toMatchObject([
    { kind: 'setting', subject: 'workspace', change: 'expired', id: 'w' },
  ])
})

test('[control.abandoned] a call renews the lease, and a connection keeps it', async () => {
  const { real, closed, leases } = stage()
  await real.advance(9_000)
  leases.use('w')()
  await real.advance(9_000)
  const stream = leases.use('w')
  await real.advance(1_000_000)
  expect(leases.expiresAt('w')).toBe(null)
  stream()
  await real.advance(9_999)
  expect(closed).toEqual([])
  await real.advance(1)
  expect(closed).toEqual(['w'])
})

test('an RP’s request is use, in whichever process it arrives; what its phones do by themselves is not', async () => {
  const { real, recorder, closed } = stage()
  const delivery = { kind: 'delivery', msg_id: 'm', state: 'success' } as const
  await real.advance(9_000)
  recorder.observe('w', { ...delivery, actor: { kind: 'rp' } })
  await real.advance(9_000)
  recorder.observe('w', { ...delivery, actor: { kind: 'phone' } })
  expect(closed).toEqual([])
  await real.advance(1_000)
  expect(closed).toEqual(['w'])
})

test('a lease that is taken away no longer closes it, and one that is shortened does sooner', async () => {
  const { real, abouts, closed, leases } = stage()
  abouts.w = {}
  leases.arm('w')
  await real.advance(1_000_000)
  expect(closed).toEqual([])
  abouts.w = { lease_ms: 1_000 }
  leases.arm('w')
  await real.advance(1_000)
  expect(closed).toEqual(['w'])
})

test('while a workspace cannot be closed it is tried again, told once, and main hears of it when it is closed', async () => {
  const away = () => Promise.reject(new Error('away'))
  const { real, recorder, closed, leases, log } = stage({ refusals: [away, away] })
  const heard = () => recorder.read('main').events.length
  await real.advance(10_000)
  await real.advance(2_000)
  expect([closed, heard()]).toEqual([[], 0])
  expect(leases.expiresAt('w')).toBe(1_010_000)
  await real.advance(2_000)
  expect([closed, heard()]).toEqual([['w'], 1])
  expect(log.map(({ event }) => event)).toEqual(['abandoned workspace not closed', 'workspace abandoned'])
})
