import { expect, onTestFinished, test } from 'vitest'
import { createWorkspaceLeases } from '../../../src-main/bench/control/unused-workspaces.ts'
import { createBenchClock } from '../../../src-main/bench/harness/clock.ts'
import { createRecorder } from '../../../src-main/bench/harness/recorder.ts'
import type { WorkspaceAbout } from '../../../src-main/core/contract/control/workspace-about.ts'
import type { LogLine } from '../../../src-main/core/protocol/log.ts'
import { ok } from '../../../src-main/core/protocol/result.ts'
import { RpError } from '../../../src-main/sdk/index.ts'
import type { Admin } from '../../../src-main/service/admin/create-admin.ts'
import { codeOf, startTestBench } from '../../support/bench.ts'
import { openWorkspaces } from '../../support/open-workspaces.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Whose a workspace is, what it may hold, and when it goes by itself. */
const { shared, open } = openWorkspaces()

const QUOTA_REACHED = 40907

const rpCodes = (calls: readonly Promise<unknown>[]): Promise<readonly number[]> =>
  Promise.all(
    calls.map((call) =>
      call.then(
        () => 0,
        (error) => {
          if (error instanceof RpError) return error.code
          throw error
        },
      ),
    ),
  )

test('owner and labels are set at opening, listed, filtered, changed and taken away', async () => {
  const web = await open({ owner: 'team web', labels: ['ci', 'nightly'] })
  const shop = await open({ owner: 'team shop', labels: ['ci'] })
  const found = async (query: { owner?: string; label?: string }) =>
    (await shared.bench.client.call('workspaces.list', { query })).workspaces.map(({ id }) => id)
  expect(await found({ label: 'ci' })).toEqual([web.id, shop.id])
  expect(await found({ label: 'nightly' })).toEqual([web.id])
  expect(await found({ owner: 'team shop', label: 'ci' })).toEqual([shop.id])
  expect(await found({ owner: 'nobody' })).toEqual([])
  const changed = await shared.bench.client.call('workspaces.patch', {
    params: { id: web.id },
    body: { owner: null, labels: ['x'] },
  })
  expect(changed).not.toHaveProperty('owner')
  expect(changed.labels).toEqual(['x'])
})

test('a caller that loses the race for an id chooses neither the seed nor the clock of the winner', async () => {
  const { client } = shared.bench
  for (let n = 0; n < 6; n++) {
    const id = `race-${n}`
    const frozen = { id, clock: { now: 1_900_000_000_000, frozen: true } }
    const bodies = n % 2 === 0 ? [{ id, seed: 7 }, frozen] : [frozen, { id, seed: 7 }]
    const codes = await Promise.all(bodies.map((body) => codeOf(client.call('workspaces.create', { body }))))
    expect(codes.toSorted()).toEqual([0, 40904])
    onTestFinished(async () => void (await client.call('workspaces.close', { params: { id } })))
    const won = bodies[codes.indexOf(0)]
    const { seed } = await client.call('workspaces.get', { params: { id } })
    const clock = await client.workspace(id).call('clock.get')
    expect({ seed, frozen: clock.frozen }).toEqual(
      won === frozen ? { seed: null, frozen: true } : { seed: 7, frozen: false },
    )
  }
})

test('[control.quota] a quota of phones, credentials or messages refuses the next one, however many come at once', async () => {
  const workspace = await open({ quota: { phones: 2, credentials: 1, messages: 3 } })
  const { client } = workspace
  const phones = Array.from({ length: 5 }, (_, n) =>
    codeOf(client.call('phones.create', { body: { name: `Phone ${n}` } })),
  )
  expect((await Promise.all(phones)).toSorted()).toEqual([0, 0, ...Array(3).fill(QUOTA_REACHED)])
  const rp = await workspace.rp()
  const begun = Array.from({ length: 8 }, (_, n) => rp.register({ user_id: `u-${n}`, username: 'user' }))
  expect((await rpCodes(begun)).toSorted()).toEqual([0, 0, 0, ...Array(5).fill(QUOTA_REACHED)])
  const { phones: made } = await client.call('phones.list')
  const { messages } = await client.call('messages.list')
  for (const [n, { url }] of messages.entries()) {
    const id = made[n % 2]?.id ?? ''
    await client.call('phones.scan', { params: { id }, body: { url: url ?? '' } })
    await codeOf(client.call('phones.approve', { params: { id }, body: {} }))
  }
  const ended = (await client.call('messages.list')).messages.map(({ state, error }) => `${state} ${error}`)
  expect(ended.toSorted()).toEqual(['fail credential_limit', 'fail credential_limit', 'success '])
  expect((await client.call('credentials.list')).credentials).toHaveLength(1)
  expect(await rpCodes([rp.register({ user_id: 'u-9', username: 'user' })])).toEqual([QUOTA_REACHED])
})

test('[control.quota] a quota outlives reset, snapshot, import and a restart, and refuses a document that holds more', async () => {
  const data = temporaryFolder()
  const first = await startTestBench({ data })
  await first.client.call('workspaces.create', { body: { id: 'w', quota: { phones: 1 }, labels: ['kept'] } })
  const there = first.client.workspace('w')
  await there.call('phones.create', { body: { name: 'One' } })
  const snapshot = await there.call('snapshots.create')
  await there.call('workspace.reset', { body: { settings: true } })
  await there.call('snapshots.restore', { params: { id: snapshot.id }, body: {} })
  for (const name of ['A', 'B']) await first.client.call('phones.create', { body: { name } })
  const larger = await first.client.call('workspace.export')
  expect(await codeOf(there.call('workspace.import', { body: larger }))).toBe(QUOTA_REACHED)
  await first.close()
  const second = await startTestBench({ data })
  onTestFinished(() => second.close())
  const state = await second.client.call('workspaces.get', { params: { id: 'w' } })
  expect(state).toMatchObject({ quota: { phones: 1 }, labels: ['kept'] })
  const more = second.client.workspace('w').call('phones.create', { body: { name: 'Two' } })
  expect(await codeOf(more)).toBe(QUOTA_REACHED)
})

test('[control.quota] a quota is kept by undelete and by restoring a snapshot, and what is refused changes nothing', async () => {
  const { id, client, phone } = await open({ quota: { credentials: 1 } })
  const registered = async () => (await client.call('credentials.list')).credentials.map(({ user_id }) => user_id)
  await phone({ passkeys: [{ user_id: 'u-1', username: 'alice' }] })
  const [first] = (await client.call('credentials.list')).credentials
  await client.call('credentials.delete', { params: { id: first?.id ?? '' } })
  await phone({ passkeys: [{ user_id: 'u-2', username: 'bob' }] })
  const undelete = () => codeOf(client.call('credentials.undelete', { params: { id: first?.id ?? '' }, body: {} }))
  expect(await undelete()).toBe(QUOTA_REACHED)
  const limit = (quota: { phones?: number; credentials?: number } | null) =>
    shared.bench.client.call('workspaces.patch', { params: { id }, body: { quota } })
  await limit({ credentials: 2 })
  expect(await undelete()).toBe(0)
  const snapshot = await client.call('snapshots.create')
  const restore = () => codeOf(client.call('snapshots.restore', { params: { id: snapshot.id }, body: {} }))
  for (const smaller of [{ credentials: 1 }, { phones: 1 }]) {
    await limit(smaller)
    expect(await restore()).toBe(QUOTA_REACHED)
    expect([(await registered()).length, (await client.call('phones.list')).phones.length]).toEqual([2, 2])
  }
  await limit(null)
  expect(await restore()).toBe(0)
})

test('[control.abandoned] a lease ends at a time that is told, and at none while a client watches', async () => {
  const { id, client } = await open({ lease_ms: 60_000 })
  const expiry = async () => (await shared.bench.client.call('workspaces.get', { params: { id } })).expires_at
  expect(await expiry()).toBeGreaterThan(Date.now())
  const stop = new AbortController()
  const stream = client.events({ signal: stop.signal, after: 0, retry: async () => false })
  await stream.next()
  expect(await expiry()).toBe(null)
  stop.abort()
  await expect.poll(expiry).toBeGreaterThan(Date.now())
  await shared.bench.client.call('workspaces.patch', { params: { id }, body: { lease_ms: null } })
  expect(await expiry()).toBe(undefined)
})

test('the workspace main has no lease', async () => {
  const body = { lease_ms: 1_000 }
  expect(await codeOf(shared.bench.client.call('workspaces.patch', { params: { id: 'main' }, body }))).toBe(40902)
})

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
