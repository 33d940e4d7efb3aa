import type { Body, Data } from '../../core/contract/control/routes.ts'
import type { ControlPhone, ControlPrompt } from '../../core/contract/control/states.ts'
import type { Reason } from '../../core/contract/errors.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import type { PhoneWord } from '../../core/protocol/reasons.ts'
import type { Result } from '../../core/protocol/result.ts'

/** Where a credential is kept: cloud HSM storage (can move to a new phone) or the phone's secure chip (cannot). */
export type CredentialStorage = PhoneState['storage']

/** A phone may have thousands under load, and its state is sent with each of its events. */
export const CREDENTIALS_SHOWN = 50

/** A phone as plain JSON: everything a page needs to draw it, and nothing secret. */
export type PhoneState = ControlPhone

/** A request to the phone's user. It is plain data: approve, reject or fail-fingerprint answer it by its id. */
export type Prompt = ControlPrompt

export type Screen = PhoneState['screen']
export type ShownCredential = PhoneState['credentials'][number]

export type ArmedFault = PhoneState['faults'][number]

export type PhoneRefusal = {
  readonly word: PhoneWord
  /** The received and the expected value, where that helps. */
  readonly reason?: Reason
  /** The envelope's code if the service refused. */
  readonly code?: number
  /** Set if the phone's own authenticator refused, not the network or the service. A retry would be refused again. */
  readonly by?: 'authenticator'
}

/** A refusal means the command could not be carried out; the result of a successful one is on the phone's screen. */
export type PhoneResult<T = PhoneState> = Promise<Result<T, PhoneRefusal>>

export const refusePhone = (
  word: PhoneWord,
  { reason, code }: { readonly reason?: Reason | undefined; readonly code?: number } = {},
): PhoneRefusal => ({ word, ...withoutUndefined({ reason, code }) })

export const problemScreen = ({ word, reason, code }: PhoneRefusal, prompt?: Prompt) =>
  ({ kind: 'problem', word, ...withoutUndefined({ reason, service_code: code, prompt }) }) as const

/** Applies to the next `times` attempts; to one when neither `times` nor `probability` is given. */
export type NewFault = Body<'phones.arm'>
export type NewlyArmedFault = Data<'phones.arm'>

export type ReportTrouble = (workspace: string, refusal: PhoneRefusal) => void

export type Traceparent = () => string | undefined

const HEADER_TEXT = /^[\x21-\x7e]{1,512}$/

/** Checks that a value from the service can be sent back to it in a header. */
export const isHeaderText = (value: unknown): value is string => typeof value === 'string' && HEADER_TEXT.test(value)
