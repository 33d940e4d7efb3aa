import { expect } from 'vitest'
import type { ConditionsPart } from '../../../src-main/core/contract/conditions.ts'
import type { NewServiceFault } from '../../../src-main/core/contract/control/service-fault-routes.ts'
import type { ControlClient } from '../../../src-main/sdk/client.ts'
import { HandsetError } from '../../../src-main/sdk/errors.ts'
import { ALICE, cast } from '../../support/bench.ts'
import { parseOne } from '../../support/parse-one.ts'
import { failuresOf, playScenario } from '../../support/play-scenario.ts'

type Trouble = {
  readonly arm?: readonly NewServiceFault[]
  readonly conditions?: readonly ConditionsPart[]
  /** What is recorded begins after the first ceremony. */
  readonly late?: boolean
}

/** What a person does who goes on whatever is refused: two registrations and a sign-in, with polls. */
export const recordTroubled = async (
  bench: ControlClient,
  { arm = [], conditions = [], late = false }: Trouble,
): Promise<string> => {
  const { id } = await bench.call('workspaces.create', { body: {} })
  const client = bench.workspace(id)
  try {
    const { rp, phone } = await cast(client)
    for (const body of arm) await client.call('service.arm', { body })
    for (const body of conditions) await client.call('conditions.put', { body })
    const ceremony = async (kind: 'register' | 'sign-in', answer: 'approve' | 'reject'): Promise<void> => {
      const body = { ...ALICE, poll: false }
      const begun = await attempt(() =>
        kind === 'register'
          ? client.call('simulator.register', { params: { rp }, body })
          : client.call('simulator.sign-in', { params: { rp }, body: { ...body, method: 'qrcode' } }),
      )
      if (begun === undefined) return
      const { msg_id, url } = begun
      const poll = () => attempt(() => client.call('simulator.poll', { params: { rp, msg_id } }))
      await poll()
      await poll()
      await attempt(() => client.call('phones.scan', { params: { id: phone }, body: { url } }))
      await poll()
      await attempt(() => client.call(`phones.${answer}`, { params: { id: phone }, body: {} }))
      await poll()
      await poll()
    }
    await ceremony('register', 'approve')
    const after = late ? (await client.call('events.list', { query: { limit: 1, latest: true } })).last_seq : 0
    await ceremony('sign-in', 'reject')
    await ceremony('sign-in', 'approve')
    await attempt(() => client.call('simulator.credentials', { params: { rp }, query: { user_id: ALICE.user_id } }))
    const { scenario } = await client.call('events.scenario', { query: { after } })
    return scenario
  } finally {
    await bench.call('workspaces.close', { params: { id } }).catch(() => undefined)
  }
}

const attempt = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await act()
  } catch (error) {
    if (error instanceof HandsetError) return undefined
    throw error
  }
}

/** Under another seed than it was recorded with. */
export const expectReplays = async (bench: ControlClient, text: string): Promise<void> => {
  const failed = failuresOf(await playScenario(bench, parseOne(text)))
  expect({ failed, text: failed.length === 0 ? '' : text }).toEqual({ failed: [], text: '' })
}
