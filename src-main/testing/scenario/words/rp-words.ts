import { wordOf } from '../../../core/contract/judge/failure-words.ts'
import type { rpSteps } from '../../../core/contract/scenario/bench-steps.ts'
import type { StepInput } from '../../../core/contract/scenario.ts'
import { isFinal } from '../../../core/protocol/message-state.ts'
import type { Data } from '../../../sdk/client.ts'
import { mismatch } from '../patterns/mismatch.ts'
import { type BegunMessage, messageOf, rpOf, type ScenarioState } from '../scenario-state.ts'
import { failure, refusal, type StepOutcome, said, success } from '../step-outcome.ts'
import type { WordsOf } from './word.ts'

/** Polls are steps of the scenario: an RP that polls on a timer would make every run different. */
const BY_STEPS = { poll: false } as const

const expectResult = async (
  { message, until: _, ...wanted }: StepInput<'expect'>,
  state: ScenarioState,
): Promise<StepOutcome> => {
  const { msg_id, rp } = messageOf(state, message)
  const attempt = await state.client.call('simulator.poll', { params: { rp, msg_id } })
  // A refusal ends the wait, except with code 0: then the call did not arrive.
  if (attempt.refusal !== null) {
    const { code } = attempt.refusal
    return { ...refusal(attempt.refusal), ...(code === 0 ? {} : { final: true }) }
  }
  const got: Readonly<Record<string, unknown>> = readingOf(attempt)
  const wrong = Object.entries(wanted).filter(([key, value]) => mismatch(value, got[key]) !== undefined)
  if (wrong.length === 0) return said(attempt.error === '' ? attempt.svc_user : attempt.error, attempt)
  const expected = Object.fromEntries(wrong)
  const received = Object.fromEntries(wrong.map(([key]) => [key, got[key]]))
  return {
    ...failure({ code: 'differs', params: { at: '', expected, received } }),
    ...(isFinal(attempt.status) ? { final: true } : {}),
  }
}

const readingOf = ({ status, error, verified_user_id, svc_user }: Data<'simulator.poll'>) => ({
  status,
  error: wordOf(error),
  user_id: verified_user_id,
  svc_user,
})

export const rpWords: WordsOf<typeof rpSteps> = {
  register: {
    run: async ({ as, rp, ...request }, state) => {
      const body = { ...request, ...BY_STEPS }
      const params = { rp: rpOf(state, rp).id }
      return begun(state, await state.client.call('simulator.register', { params, body }), as)
    },
  },
  sign_in: {
    run: async ({ as, rp, ...request }, state) => {
      const body = { ...request, ...BY_STEPS }
      const params = { rp: rpOf(state, rp).id }
      return begun(state, await state.client.call('simulator.sign-in', { params, body }), as)
    },
  },
  expect: { repeats: true, run: expectResult },
  expect_credentials: {
    repeats: true,
    run: async ({ user_id, count, credentials, rp }, state) => {
      const listed = await credentialsOf(state, { user_id, rp })
      const wrong =
        mismatch({ count: count ?? {} }, { count: count === undefined ? {} : listed.total }) ??
        mismatch(
          { credentials: credentials ?? [] },
          { credentials: credentials === undefined ? [] : listed.credentials },
        )
      if (wrong !== undefined) return failure({ code: 'differs', params: wrong })
      return said(listed.credentials.map(({ credential_name }) => credential_name).join(', '), listed)
    },
  },
  delete_credential: {
    run: async ({ user_id, credential_name, rp }, state) => {
      const { credentials } = await credentialsOf(state, { user_id, rp })
      const names = credentials.map((each) => each.credential_name)
      const fitting = credentials.filter(
        (each) => credential_name === undefined || each.credential_name === credential_name,
      )
      const [found, ...others] = fitting
      if (found === undefined || others.length > 0) {
        return failure({ code: 'which_credential', params: { known: names } })
      }
      const params = { rp: rpOf(state, rp).id, id: found.credential_id }
      const deleted = await state.client.call('simulator.delete-credential', { params, query: { user_id } })
      return success({ code: 'credentials_deleted', params: { count: deleted.total } }, deleted)
    },
  },
}

type OfUser = Pick<StepInput<'delete_credential'>, 'user_id'> & { readonly rp: string | undefined }

const credentialsOf = (state: ScenarioState, { user_id, rp }: OfUser) =>
  state.client.call('simulator.credentials', { params: { rp: rpOf(state, rp).id }, query: { user_id } })

const begun = (state: ScenarioState, message: BegunMessage, as = ''): StepOutcome => {
  state.messages.set('', message)
  state.messages.set(as, message)
  return said(message.url.slice(message.url.indexOf('#')), message)
}
