import type { benchSteps } from '../../../core/contract/scenario.ts'
import { messageOf, snapshotOf } from '../scenario-state.ts'
import { type StepOutcome, said, success } from '../step-outcome.ts'
import { armedOf, type WordsOf } from './word.ts'

const timeOf = (clock: { readonly now: number }): StepOutcome => said(new Date(clock.now).toISOString(), clock)

export const benchWords: WordsOf<typeof benchSteps> = {
  clock: { run: async (body, state) => timeOf(await state.client.call('clock.put', { body })) },
  advance: {
    run: async (input, state) => {
      const body = 's' in input ? { ms: Math.round(input.s * 1000) } : input
      return timeOf(await state.client.call('clock.advance', { body }))
    },
  },
  expire: {
    run: async ({ message }, state) => {
      const { msg_id: id } = messageOf(state, message)
      const expired = await state.client.call('messages.expire', { params: { id }, body: {} })
      return said(expired.state, expired)
    },
  },
  profile: {
    run: async (body, state) => {
      const answer = await state.client.call('profile.patch', { body })
      return said(answer.changed.join(', '), answer)
    },
  },
  conditions: {
    run: async (body, state) => said(JSON.stringify(body), await state.client.call('conditions.put', { body })),
  },
  arm_service: {
    run: async (body, state) => {
      const armed = await state.client.call('service.arm', { body })
      return success(armedOf(armed), armed)
    },
  },
  snapshot: {
    run: async ({ as }, state) => {
      const made = await state.client.call('snapshots.create', { body: { name: as } })
      state.snapshots.set(as, made.id)
      return said(as, made)
    },
  },
  restore: {
    run: async ({ snapshot }, state) => {
      const id = snapshotOf(state, snapshot)
      return said(snapshot, await state.client.call('snapshots.restore', { params: { id }, body: {} }))
    },
  },
  control: {
    repeats: true,
    run: async ({ call, params, query, body }, state) => {
      // The input was checked against the route when the file was read, and the control interface checks it again.
      const inputs = { params, query, body } as never
      const answer = await state.client.call(call, inputs)
      return said(JSON.stringify(answer).slice(0, 80), answer)
    },
  },
}
