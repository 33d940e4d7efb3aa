import type { ControlPhone, ControlPrompt } from '../../core/contract/control/states.ts'

/** Where a credential is kept: cloud HSM storage (can move to a new phone) or the phone's secure chip (cannot). */
export type CredentialStorage = PhoneState['storage']

/** A phone may have thousands under load, and its state is sent with each of its events. */
export const CREDENTIALS_SHOWN = 50

/** A phone as plain JSON: everything a page needs to draw it, and nothing secret. */
export type PhoneState = ControlPhone

/** A request to the phone's person. A datum: it is answered by approve, reject or fail-fingerprint with its id. */
export type Prompt = ControlPrompt

export type Screen = PhoneState['screen']
export type HeldCredential = PhoneState['credentials'][number]

/** A fault waits on a phone until its attempts are used up or it is disarmed. */
export type ArmedFault = PhoneState['faults'][number]
