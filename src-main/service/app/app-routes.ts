import type { RawResponse } from '../../http/message.ts'
import type { Route } from '../../http/route-table.ts'
import type { HeaderPair } from '../../protocol/canonical-request.ts'
import type { Refusal } from '../../protocol/errors.ts'
import type { Result } from '../../protocol/result.ts'
import { finishAuthentication, parseFinishAuthentication } from '../ceremonies/finish-authentication.ts'
import { finishRegistration, parseFinishRegistration } from '../ceremonies/finish-registration.ts'
import { bodyOf } from '../json-command.ts'
import type { Turn } from '../services.ts'
import { bind } from './bind.ts'
import { openInbox } from './inbox.ts'
import { parseReject, reject } from './reject.ts'
import { parseSignIn, signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import type { SignedIn } from './signed-in.ts'
import { deleteSealed, getSealed, listVault, putSealed } from './vault.ts'

export type Params = Readonly<Record<string, string>>

type Answer = Promise<Result<unknown, Refusal>>

export type AppHandler =
  | { readonly operation: string; readonly open: (turn: Turn) => Answer }
  | { readonly operation: string; readonly answer: (turn: Turn, caller: SignedIn, params: Params) => Answer }
  | {
      readonly operation: string
      readonly stream: (turn: Turn, caller: SignedIn, cors: readonly HeaderPair[]) => RawResponse
    }

/** For calls on one message: parse the body, then run with the id from the path. */
const onMessage =
  <C extends object>(
    parse: (turn: Turn) => Result<C, Refusal>,
    run: (turn: Turn, caller: SignedIn, command: C & { readonly id: string }) => Answer,
  ) =>
  async (turn: Turn, caller: SignedIn, params: Params): Answer => {
    const command = parse(turn)
    return command.ok ? run(turn, caller, { ...command.value, id: params.msg_id ?? '' }) : command
  }

/** The whole app interface. */
export const appRoutes: readonly Route<AppHandler>[] = [
  {
    method: 'POST',
    pattern: '/devices',
    handler: {
      operation: 'devices.sign_in',
      open: async (turn) => {
        const command = parseSignIn(turn)
        return command.ok ? signIn(turn, command.value) : command
      },
    },
  },
  { method: 'DELETE', pattern: '/devices/self', handler: { operation: 'devices.sign_out', answer: signOut } },
  {
    method: 'POST',
    pattern: '/messages/{msg_id}/bind',
    handler: {
      operation: 'messages.bind',
      answer: onMessage(bodyOf, (turn, caller, { id }) => bind(turn, caller, id)),
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
