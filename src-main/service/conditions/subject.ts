import type { Scope } from '../../core/contract/scope.ts'
import type { ParsedInput } from '../request/parse-input.ts'
import type { RequestContext } from '../services.ts'

export type Subject = {
  readonly user_id?: string | undefined
  readonly device?: string | undefined
  readonly msg_id?: string | undefined
}

/** All given members of a scope must match. */
export const isInScope = async (
  { services, workspace }: RequestContext,
  scope: Scope | undefined,
  about: Subject,
): Promise<boolean> => {
  if (scope === undefined) return true
  const { user_id, phone, msg_id } = scope
  return (
    (user_id === undefined || user_id === about.user_id) &&
    (msg_id === undefined || msg_id === about.msg_id) &&
    (phone === undefined ||
      (about.device !== undefined &&
        (phone === about.device || (await services.isDeviceOf(workspace, { phone, device: about.device })))))
  )
}

/** For a call about a message: its user, and the device that bound it. */
export const subjectOfMessage = async ({ services, workspace }: RequestContext, msg_id: string): Promise<Subject> => {
  const message = await services.store.messages.get(workspace, msg_id)
  return { msg_id, user_id: message?.user_id, device: message?.device }
}

/** What an RP's call names: the message whose result it wants, else a user. */
export const namedByRp = ({ query, body }: ParsedInput): Omit<Subject, 'device'> => {
  const msg_id = query.msg_id ?? query.id
  if (typeof msg_id === 'string') return { msg_id }
  const user_id = body.user_id ?? query.user_id
  return typeof user_id === 'string' ? { user_id } : {}
}

export const subjectOfRpCall = async (context: RequestContext, input: ParsedInput): Promise<Subject> => {
  const named = namedByRp(input)
  return named.msg_id === undefined ? named : subjectOfMessage(context, named.msg_id)
}

/** For a phone’s call: the phone that makes it, and the message that it is about. */
export const subjectOfAppCall = async (
  context: RequestContext,
  { msg_id }: Readonly<Record<string, string>>,
  device: string,
): Promise<Subject> => (msg_id === undefined ? { device } : { ...(await subjectOfMessage(context, msg_id)), device })
