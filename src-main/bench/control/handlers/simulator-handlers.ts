import { type simulatorRoutes, UNNAMED_CALLER } from '../../../core/contract/control/simulator-routes.ts'
import { errorOfCode, parseReason, type Refusal, type RpClientProblem, refuse } from '../../../core/contract/errors.ts'
import type { MessageFact } from '../../../core/contract/events.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { Attempt, Polling } from '../../harness/rp-simulator.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Answer, Handlers, RouteIds } from '../handler.ts'

export const simulatorHandlers = ({
  admin,
  relyingParties,
  recorder,
}: ControlParts): Handlers<RouteIds<typeof simulatorRoutes>> => {
  const clientFor = (workspace: string, rp: string, caller: Caller) =>
    clientOf({ admin, relyingParties }, workspace, rp, caller)
  const party = async (workspace: string, rp: string) => {
    const known = await admin.rps.get(workspace, rp)
    return known.ok ? ok(relyingParties.of(workspace, rp)) : known
  }
  const found = (attempt: Attempt | undefined, msgId: string): Result<Attempt, Refusal> =>
    attempt === undefined ? err(refuse('not_found', { code: 'no_request_of_rp', params: { id: msgId } })) : ok(attempt)

  return {
    'simulator.get': async ({ workspace, params }) => {
      const known = await party(workspace, params.rp)
      return known.ok ? ok({ care: known.value.care() }) : known
    },
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
    'simulator.register': async ({ workspace, params, body }): Answer<Attempt> => {
      const { caller, polling, request } = partsOf(body)
      const client = await clientFor(workspace, params.rp, caller)
      if (!client.ok) return client
      const begun = await relyingParties.of(workspace, params.rp).register(client.value, request, polling)
      return begun.ok ? begun : err(passedOn(begun.error))
    },
    'simulator.sign-in': async ({ workspace, params, body }): Answer<Attempt> => {
      const { caller, polling, request } = partsOf(body)
      const client = await clientFor(workspace, params.rp, caller)
      if (!client.ok) return client
      const begun = await relyingParties.of(workspace, params.rp).signIn(client.value, request, polling)
      return begun.ok ? begun : err(passedOn(begun.error))
    },
    'simulator.attempt': async ({ workspace, params }) => {
      const known = await party(workspace, params.rp)
      return known.ok ? found(known.value.attempt(params.msg_id), params.msg_id) : known
    },
    'simulator.credentials': async ({ workspace, params, query }) => {
      const client = await clientFor(workspace, params.rp, query)
      if (!client.ok) return client
      const listed = await relyingParties.of(workspace, params.rp).credentials(client.value, query.user_id)
      return listed.ok ? ok({ total: listed.value.total, credentials: listed.value.list }) : err(passedOn(listed.error))
    },
    'simulator.delete-credential': async ({ workspace, params, query }) => {
      const client = await clientFor(workspace, params.rp, query)
      if (!client.ok) return client
      const what = { user_id: query.user_id, credential_ids: [params.id] }
      const deleted = await relyingParties.of(workspace, params.rp).remove(client.value, what)
      return deleted.ok ? deleted : err(passedOn(deleted.error))
    },
    'simulator.poll': async ({ workspace, params }) => {
      const known = await party(workspace, params.rp)
      return known.ok ? found(await known.value.poll(params.msg_id), params.msg_id) : known
    },
  }
}

/** A client that signs in the caller's form, or else in one that the profile accepts. */
const clientOf = async (
  { admin, relyingParties }: Pick<ControlParts, 'admin' | 'relyingParties'>,
  workspace: string,
  rp: string,
  { form, asked_by: askedBy = UNNAMED_CALLER }: Caller,
) => {
  const profile = await admin.profile.get(workspace)
  if (!profile.ok) return profile
  const usual = profile.value.authorization_forms.includes('general') ? 'general' : 'short'
  return relyingParties.clientFor(workspace, rp, { form: form ?? usual, askedBy })
}

type Beginning = Pick<MessageFact, 'ceremony' | 'rp_id' | 'user_id' | 'username'> & { readonly askedBy: string }

/** The RP begins the same ceremony once more, by QR code. */
export const beginAttempt = async (
  parts: ControlParts,
  workspace: string,
  { ceremony, rp_id, user_id, username, askedBy }: Beginning,
): Answer<Attempt> => {
  const client = await clientOf(parts, workspace, rp_id, { asked_by: askedBy })
  if (!client.ok) return client
  const rp = parts.relyingParties.of(workspace, rp_id)
  const begun =
    ceremony === 'registration'
      ? await rp.register(client.value, { user_id, username }, {})
      : await rp.signIn(client.value, { user_id, username, method: 'qrcode' }, {})
  return begun.ok ? begun : err(passedOn(begun.error))
}

type Caller = { readonly form?: 'general' | 'short'; readonly asked_by?: string }

type Asked = Caller & Polling

const partsOf = <T extends Asked>({ poll, interval_ms, form, asked_by, ...request }: T) => ({
  caller: { ...(form === undefined ? {} : { form }), ...(asked_by === undefined ? {} : { asked_by }) },
  polling: { ...(poll === undefined ? {} : { poll }), ...(interval_ms === undefined ? {} : { interval_ms }) },
  request,
})

type Refused = { readonly code: number; readonly data: unknown; readonly problem?: RpClientProblem }

/** Keeps the reason of the service's refusal; a problem that the client found itself is more precise. */
const passedOn = ({ code, data, problem }: Refused): Refusal => {
  const name = errorOfCode(code) ?? 'no_answer'
  return refuse(name, problem ?? parseReason(isObject(data) ? data.reason : undefined))
}
