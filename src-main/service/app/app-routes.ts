import type { Refusal } from '../../contract/errors.ts'
import type { RawResponse } from '../../http/message.ts'
import type { Route } from '../../http/route-table.ts'
import type { HeaderPair } from '../../protocol/canonical-request.ts'
import type { Result } from '../../protocol/result.ts'
import { finishAuthentication, parseFinishAuthentication } from '../authentication/finish-authentication.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import { parseSignIn, signIn } from '../devices/sign-in.ts'
import { signOut } from '../devices/sign-out.ts'
import { openInbox } from '../inbox/inbox.ts'
import { bind } from '../messages/bind.ts'
import { parseReject, reject } from '../messages/reject.ts'
import { finishRegistration, parseFinishRegistration } from '../registration/finish-registration.ts'
import { bodyOf } from '../request/json-command.ts'
import type { RequestContext } from '../services.ts'
import { deleteSealed, getSealed, listVault, putSealed } from '../vault/vault.ts'

export type Params = Readonly<Record<string, string>>

type Answer = Promise<Result<unknown, Refusal>>

export type AppHandler =
  | { readonly operation: string; readonly open: (context: RequestContext) => Answer }
  | {
      readonly operation: string
      readonly answer: (context: RequestContext, caller: SignedIn, params: Params) => Answer
    }
  | {
      readonly operation: string
      readonly stream: (context: RequestContext, caller: SignedIn, cors: readonly HeaderPair[]) => RawResponse
    }

/** For calls on one message: parse the body, then run with the id from the path. */
const onMessage =
  <C extends object>(
    parse: (context: RequestContext) => Result<C, Refusal>,
    run: (context: RequestContext, caller: SignedIn, command: C & { readonly id: string }) => Answer,
  ) =>
  async (context: RequestContext, caller: SignedIn, params: Params): Answer => {
    const command = parse(context)
    return command.ok ? run(context, caller, { ...command.value, id: params.msg_id ?? '' }) : command
  }

/** The whole app interface. */
export const appRoutes: readonly Route<AppHandler>[] = [
  {
    method: 'POST',
    pattern: '/devices',
    handler: {
      operation: 'devices.sign_in',
      open: async (context) => {
        const command = parseSignIn(context)
        return command.ok ? signIn(context, command.value) : command
      },
    },
  },
  { method: 'DELETE', pattern: '/devices/self', handler: { operation: 'devices.sign_out', answer: signOut } },
  {
    method: 'POST',
    pattern: '/messages/{msg_id}/bind',
    handler: {
      operation: 'messages.bind',
      answer: onMessage(bodyOf, (context, caller, { id }) => bind(context, caller, id)),
    },
  },
  {
    method: 'POST',
    pattern: '/messages/{msg_id}/attestation',
    handler: { operation: 'messages.attestation', answer: onMessage(parseFinishRegistration, finishRegistration) },
  },
  {
    method: 'POST',
    pattern: '/messages/{msg_id}/assertion',
    handler: { operation: 'messages.assertion', answer: onMessage(parseFinishAuthentication, finishAuthentication) },
  },
  {
    method: 'POST',
    pattern: '/messages/{msg_id}/reject',
    handler: { operation: 'messages.reject', answer: onMessage(parseReject, reject) },
  },
  { method: 'GET', pattern: '/inbox', handler: { operation: 'inbox', stream: openInbox } },
  { method: 'GET', pattern: '/vault', handler: { operation: 'vault.list', answer: listVault } },
  { method: 'PUT', pattern: '/vault/{credential_id}', handler: { operation: 'vault.put', answer: putSealed } },
  { method: 'GET', pattern: '/vault/{credential_id}', handler: { operation: 'vault.get', answer: getSealed } },
  { method: 'DELETE', pattern: '/vault/{credential_id}', handler: { operation: 'vault.delete', answer: deleteSealed } },
]
