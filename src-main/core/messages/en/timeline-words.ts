import type { appRoutes } from '../../contract/app/routes.ts'
import type { PhoneFact, StageEvent } from '../../contract/events.ts'
import type { rpRoutes } from '../../contract/rp/routes.ts'
import type { RpVerdict } from '../../contract/rp-care.ts'
import type { MessageState } from '../../protocol/message-state.ts'

type CallsOf<Routes, Prefix extends string> = {
  [K in keyof Routes]: Routes[K] extends { readonly method: infer M extends string; readonly path: `/${infer P}` }
    ? `${M} ${Prefix}${P}`
    : never
}[keyof Routes]

type StageOf<E> = E extends StageEvent ? `${E['kind']} ${E['stage']}` : never

/** The rows of a timeline that have words: the calls of the contract, the states and stages of a message, and signals. */
export type RowName =
  | CallsOf<ReturnType<typeof rpRoutes>, ''>
  | CallsOf<ReturnType<typeof appRoutes>, 'app/'>
  | `message ${MessageState}`
  | StageOf<StageEvent>
  | `signal ${NonNullable<PhoneFact['signal']>['outcome']}`

/** Texts of the timeline: the service's search uses them too, so it finds what the page shows. */
export const timelineWords = {
  register: 'Register',
  signIn: 'Sign in',
  calls: 'Calls',
  callsSub: 'outside any request',
  by: { qrcode: 'by QR code', push: 'by push' },
  method: { qrcode: 'QR code', push: 'push' },
  left: (time: string) => `${time} left`,
  refusedAnswer: 'refused',
  /** The search word for failed requests. */
  failedWord: 'failed',
  /** The RP's reaction to a result that a fault of the service changed. */
  told: {
    waits: 'The RP waits',
    success: 'The RP believed it',
    refused: 'The RP refused it',
    fail: 'The RP gave up',
    timeout: 'The RP was told “timeout”',
    broke: 'The RP broke',
  } satisfies Record<RpVerdict, string>,
  why: 'Why?',
  disagree: 'The second opinion differs',
  /** Exchanges in plain words, by method and route. */
  words: {
    'POST rp/attestation/options': 'Ask to register',
    'GET rp/attestation/result': 'Poll',
    'POST rp/assertion/options': 'Ask to sign in',
    'GET rp/assertion/result': 'Poll',
    'GET rp/credentials': 'List passkeys',
    'DELETE rp/credentials': 'Delete passkeys',
    'POST app/devices': 'Phone signs in',
    'DELETE app/devices/self': 'Phone signs out',
    'POST app/messages/{msg_id}/bind': 'Scanned',
    'POST app/messages/{msg_id}/attestation': 'Registers passkey',
    'POST app/messages/{msg_id}/assertion': 'Signs challenge',
    'POST app/messages/{msg_id}/reject': 'Rejected',
    'GET app/inbox': 'Listens for pushes',
    'GET app/vault': 'Reads vault',
    'GET app/vault/{credential_id}': 'Fetches from vault',
    'PUT app/vault/{credential_id}': 'Saves to vault',
    'DELETE app/vault/{credential_id}': 'Removes from vault',
    'message timeout': 'Time ran out',
    'message init': 'Message made',
    'message fail': 'Failed',
    'message bind': 'Scanned',
    'message success': 'Succeeded',
    'push queued': 'Push waits for the phone',
    'push sent': 'Push to the phone',
    'signal ignored': 'Signal ignored',
    'signal another_rp': 'Signal refused: another RP',
    'signal another_account': 'Signal refused: another account',
    'signal not_held': 'Signal without a passkey on the phone',
  } satisfies Record<RowName, string>,
  read: 'Read the result',
  otherCall: 'Call',
  lanes: { rp: 'RP', service: 'service', phone: 'phone' },
}

export type TimelineWords = typeof timelineWords
