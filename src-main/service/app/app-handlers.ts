import {
  APP_OPERATIONS,
  type AppData,
  type AppInput,
  type AppOperation,
  type AppRoute,
  appRoutes,
} from '../../core/contract/app/routes.ts'
import type { Refusal } from '../../core/contract/errors.ts'
import { defaultProfile } from '../../core/contract/profile.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { RawResponse } from '../../http/message.ts'
import { finishAuthentication } from '../authentication/finish-authentication.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import { signIn, signOut } from '../devices/sign-in.ts'
import { openInbox } from '../inbox/inbox.ts'
import { bind } from '../messages/bind.ts'
import { reject } from '../messages/reject.ts'
import { finishRegistration } from '../registration/finish-registration.ts'
import { parseInput } from '../request/parse-input.ts'
import type { RequestContext } from '../services.ts'
import { deleteSealed, getSealed, listVault, putSealed } from '../vault/vault.ts'

type Answer<T> = Promise<Result<T, Refusal>>

/** The operations whose route says so. */
type With<Mark> = { [K in AppOperation]: AppRoute<K> extends Mark ? K : never }[AppOperation]
type Open = With<{ readonly open: true }>
type Stream = With<{ readonly stream: true }>

type HandlerOf<K extends AppOperation> = K extends Open
  ? (context: RequestContext, input: AppInput<K>) => Answer<AppData<K>>
  : K extends Stream
    ? (context: RequestContext, caller: SignedIn, cors: readonly HeaderPair[]) => Promise<RawResponse>
    : (context: RequestContext, caller: SignedIn, input: AppInput<K>) => Answer<AppData<K>>

const handlers: { readonly [K in AppOperation]: HandlerOf<K> } = {
  'devices.sign_in': signIn,
  'devices.sign_out': signOut,
  'messages.bind': bind,
  'messages.attestation': finishRegistration,
  'messages.assertion': finishAuthentication,
  'messages.reject': reject,
  inbox: openInbox,
  'vault.list': listVault,
  'vault.put': putSealed,
  'vault.get': getSealed,
  'vault.delete': deleteSealed,
}

/** Addresses, and who may call, are the same in every profile. */
export const appAddresses: { readonly [K in AppOperation]: AppRoute<K> } = appRoutes(defaultProfile)

export const isOpen = (operation: AppOperation): operation is Open => 'open' in appAddresses[operation]

export const isStream = (operation: AppOperation): operation is Stream => 'stream' in appAddresses[operation]

export const appTable = APP_OPERATIONS.map((operation) => ({
  method: appAddresses[operation].method,
  pattern: appAddresses[operation].path,
  handler: operation,
}))

type Called = { readonly context: RequestContext; readonly params: Readonly<Record<string, string>> }

/** Parses first: a handler gets only input that the contract allows. */
const withInput = (
  operation: AppOperation,
  { context, params }: Called,
  run: (input: never) => Answer<unknown>,
): Answer<unknown> => {
  const input = parseInput(appRoutes(context.profile)[operation], context.request, params)
  // The contract has checked the input: from here on the types are true.
  return input.ok ? run(input.value as never) : Promise.resolve(input)
}

export const answerOpen = (operation: Open, called: Called): Answer<unknown> =>
  withInput(operation, called, (input) => handlers[operation](called.context, input))

export const answerApp = (
  operation: Exclude<AppOperation, Open | Stream>,
  called: Called,
  caller: SignedIn,
): Answer<unknown> => withInput(operation, called, (input) => handlers[operation](called.context, caller, input))

export const streamOf = (operation: Stream): HandlerOf<Stream> => handlers[operation]
