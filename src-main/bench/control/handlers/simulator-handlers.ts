import { type simulatorRoutes, UNNAMED_CALLER } from '../../../core/contract/control/simulator-routes.ts'
import { errorNameOf, parseReason, type Refusal, refuse } from '../../../core/contract/errors.ts'
import type { MessageFact } from '../../../core/contract/events.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { RpClientProblem } from '../../../core/protocol/rp-client-problems.ts'
import type { Attempt, RelyingParty } from '../../harness/rp-simulator.ts'
import { type Answer, answerWith, type Call, type ControlParts, type Handlers, type RouteIds } from '../handler.ts'

export const simulatorHandlers = (parts: ControlParts): Handlers<RouteIds<typeof simulatorRoutes>> => {
  const { admin, relyingParties, recorder } = parts
  const party = (workspace: string, rp: string): Answer<RelyingParty> =>
    answerWith(admin.rps.get(workspace, rp), () => relyingParties.of(workspace, rp))
  const attemptOf =
    (read: (known: RelyingParty, msgId: string) => Attempt | undefined | Promise<Attempt | undefined>) =>
    async ({ workspace, params }: Pick<Call<'simulator.poll'>, 'workspace' | 'params'>): Answer<Attempt> => {
      const known = await party(workspace, params.rp)
      if (!known.ok) return known
      const attempt = await read(known.value, params.msg_id)
      if (attempt !== undefined) return ok(attempt)
      return err(refuse('not_found', { code: 'no_request_of_rp', params: { id: params.msg_id } }))
    }

  return {
    'simulator.get': ({ workspace, params }) =>
      answerWith(party(workspace, params.rp), (known) => ({ care: known.care() })),
    'simulator.patch': async ({ workspace, params, body: { care } }) => {
      const known = await party(workspace, params.rp)
      if (!known.ok) return known
      if (known.value.care() !== care) {
        known.value.become(care)
        const setting = { kind: 'setting', subject: 'rp', change: 'care', id: params.rp, detail: { care } } as const
        recorder.observe(workspace, { actor: { kind: 'control' }, ...setting })
      }
      return ok({ care })
    },
    'simulator.register': ({ workspace, params, body: { form, asked_by, ...request } }): Answer<Attempt> =>
      asRp(parts, { workspace, ...params, form, asked_by }, (rp, client) => rp.register(client, request)),
    'simulator.sign-in': ({ workspace, params, body: { form, asked_by, ...request } }): Answer<Attempt> =>
      asRp(parts, { workspace, ...params, form, asked_by }, (rp, client) => rp.signIn(client, request)),
    'simulator.attempt': attemptOf((known, msgId) => known.attempt(msgId)),
    'simulator.credentials': ({ workspace, params, query: { user_id, ...caller } }) => {
      const listed = asRp(parts, { workspace, ...params, ...caller }, (rp, client) => rp.credentials(client, user_id))
      return answerWith(listed, ({ total, list }) => ({ total, credentials: list }))
    },
    'simulator.delete-credential': ({ workspace, params: { rp, id }, query: { user_id, ...caller } }) => {
      const what = { user_id, credential_ids: [id] }
      return asRp(parts, { workspace, rp, ...caller }, (party, client) => party.remove(client, what))
    },
    'simulator.poll': attemptOf((known, msgId) => known.poll(msgId)),
  }
}

type RpClient = Parameters<RelyingParty['register']>[0]

type Calling = {
  readonly workspace: string
  readonly rp: string
  readonly form?: 'general' | 'short' | undefined
  readonly asked_by?: string | undefined
}

/** Calls the service with a client that signs in the caller's form, or else in one that the profile accepts. */
const asRp = async <T>(
  { admin, relyingParties }: Pick<ControlParts, 'admin' | 'relyingParties'>,
  { workspace, rp, form, asked_by: askedBy = UNNAMED_CALLER }: Calling,
  call: (party: RelyingParty, client: RpClient) => Promise<Result<T, Refused>>,
): Answer<T> => {
  const profile = await admin.profile.get(workspace)
  if (!profile.ok) return profile
  const usual = profile.value.authorization_forms.includes('general') ? 'general' : 'short'
  const client = await relyingParties.clientFor(workspace, rp, { form: form ?? usual, askedBy })
  if (!client.ok) return client
  const done = await call(relyingParties.of(workspace, rp), client.value)
  return done.ok ? done : err(passedOn(done.error))
}

type Beginning = Pick<MessageFact, 'ceremony' | 'rp_id' | 'user_id' | 'username'> & { readonly askedBy: string }

/** The RP begins the same ceremony again, by QR code. */
export const beginAttempt = (
  parts: ControlParts,
  workspace: string,
  { ceremony, rp_id, user_id, username, askedBy }: Beginning,
): Answer<Attempt> =>
  asRp(parts, { workspace, rp: rp_id, asked_by: askedBy }, (rp, client) =>
    ceremony === 'registration'
      ? rp.register(client, { user_id, username })
      : rp.signIn(client, { user_id, username, method: 'qrcode' }),
  )

type Refused = { readonly code: number; readonly data: unknown; readonly problem?: RpClientProblem }

/** Keeps the reason of the service's refusal; a problem that the client found itself is more precise. */
const passedOn = ({ code, data, problem }: Refused): Refusal => {
  const name = errorNameOf(code) ?? 'no_answer'
  return refuse(name, problem ?? parseReason(isObject(data) ? data.reason : undefined))
}
