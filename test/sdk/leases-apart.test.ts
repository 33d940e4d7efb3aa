import { describe, expect, test } from 'vitest'
import type { Workspace } from '../../src-main/sdk/index.ts'
import { openWorkspaces } from '../support/open-workspaces.ts'

/** Two leases in one workspace, as two tests have them. */
const { open: openWorkspace } = openWorkspaces()

const open = async () => {
  const workspace = await openWorkspace()
  return { workspace, mine: await workspace.lease(), other: await workspace.lease() }
}

const ofUser = (user_id: string) => ({ scope: { user_id } })
const conditionsIn = ({ client }: Workspace) => client.call('conditions.get')

describe('faults of the service that are armed through a lease', () => {
  test('are disarmed with it at once, and no others', async () => {
    const { workspace, mine, other } = await open()
    await workspace.service.arm('body-empty', ofUser('u-1'))
    await other.service.arm('body-empty', ofUser('u-2'))
    await mine.service.arm('body-empty', ofUser('u-3'))
    const one = await mine.service.arm('list-as-object', ofUser('u-3'))
    await one.disarm()
    await mine.service.disarm()
    expect((await mine.service.armed()).map(({ scope }) => scope)).toEqual([{ user_id: 'u-1' }, { user_id: 'u-2' }])
    await mine.service.disarm()
    await workspace.service.disarm()
    expect(await other.service.armed()).toEqual([])
    await other.service.disarm()
  })

  test('may be used up when they are disarmed', async () => {
    const { workspace, mine } = await open()
    const armed = await mine.service.arm('list-as-object', ofUser('u-1'))
    const rp = await workspace.rp()
    await rp.credentials('u-1').catch(() => undefined)
    expect(await mine.service.armed()).toEqual([])
    await armed.disarm()
    await mine.service.disarm()
  })
})

describe('conditions that are set through a lease', () => {
  test('are cleared with it at once, and no others', async () => {
    const { workspace, mine, other } = await open()
    await workspace.conditions.set({ rp: { latency_ms: 1 } })
    await other.conditions.set({ rp: { latency_ms: 2 }, ...ofUser('u-2') })
    await mine.conditions.set({ rp: { latency_ms: 3 }, ...ofUser('u-3') })
    await mine.conditions.set({ rp: { latency_ms: 4 }, ...ofUser('u-4') })
    await mine.conditions.clear()
    const left = { rp: { latency_ms: 1 }, scoped: [{ ...ofUser('u-2'), rp: { latency_ms: 2 } }] }
    expect(await conditionsIn(workspace)).toMatchObject(left)
    await mine.conditions.clear()
    expect(await conditionsIn(workspace)).toMatchObject(left)
    await workspace.conditions.clear()
    const { rp, scoped } = await conditionsIn(workspace)
    expect([rp.latency_ms, scoped]).toEqual([0, undefined])
  })

  test('for everybody are normal again when they are cleared, while those of a scope stay', async () => {
    const { workspace, mine, other } = await open()
    await other.conditions.set({ rp: { latency_ms: 2 }, ...ofUser('u-2') })
    await mine.conditions.set({ rp: { latency_ms: 1 } })
    await mine.conditions.clear({ user_id: 'u-3' })
    expect((await conditionsIn(workspace)).rp.latency_ms).toBe(1)
    await mine.conditions.clear()
    expect(await conditionsIn(workspace)).toMatchObject({ rp: { latency_ms: 0 }, scoped: [ofUser('u-2')] })
  })
})
