import { DAY_MS } from '../../protocol/time.ts'
/** What a phone can do wrong with honest bytes, at which moment. Names stay; the phone carries them out. */
export const PHONE_ACTIONS = {
  'lose-push': { at: 'push', what: 'The push never reaches the app.' },
  'delay-push': { at: 'push', what: 'The push reaches the app delay_ms later.' },
  'repeat-push': { at: 'push', what: 'The push reaches the app twice.' },

  'stop-after-scan': { at: 'scan', what: 'The app binds the message and is killed before the user sees it.' },
  'bind-twice': { at: 'scan', what: 'The app binds the message and then binds it again.' },
  'bind-from-other-phone': { at: 'scan', what: 'After this phone, another one binds the message too.' },
  'bind-after-expiry': {
    at: 'scan',
    what: 'The app scans, waits until the message has expired, and only then binds it.',
  },
  'skip-bind': { at: 'scan', what: 'The app answers without ever binding: with options that it makes up.' },

  'answer-twice': {
    at: 'answer',
    what: 'The app uploads its answer and, after the verdict, the identical bytes again.',
  },
  'answer-differently': { at: 'answer', what: 'After the verdict the app signs anew and uploads the new answer too.' },
  'answer-from-other-phone': { at: 'answer', what: 'Another phone, which has not bound it, uploads the answer.' },
  'answer-other-message': { at: 'answer', what: 'The app uploads the answer to another message that it has bound.' },
  'answer-at-other-endpoint': { at: 'answer', what: "The app uploads the answer to the other ceremony's address." },
  'replay-answer': {
    at: 'answer',
    what: 'The app uploads the last answer of the same credential instead of a new one.',
  },
  'reject-after-answer': { at: 'answer', what: 'The app uploads its answer and then rejects the message.' },
  'answer-after-expiry': { at: 'answer', what: 'The app holds its answer until the message has expired.' },
  'answer-at-last-moment': { at: 'answer', what: 'The app holds its answer until one millisecond before the expiry.' },
  'answer-later': { at: 'answer', what: 'The app holds its answer for delay_ms by the workspace’s clock.' },
  'drop-token': { at: 'answer', what: 'The app uploads without its device token.' },

  'upload-slowly': { at: 'answer', what: 'The bytes of the upload trickle: pieces of piece_bytes, pause_ms apart.' },
  'upload-twice-at-once': { at: 'answer', what: 'The upload goes out on two connections at the same time.' },
  'lose-response': { at: 'answer', what: 'The connection breaks before the verdict arrives; the app tries once more.' },
  'lose-response-for-good': {
    at: 'answer',
    what: 'The connection breaks before the verdict arrives; the app gives up.',
  },
  'cut-upload': { at: 'answer', what: 'The connection breaks in the middle of the body and the app gives up.' },
  'cut-upload-and-retry': {
    at: 'answer',
    what: 'The connection breaks in the middle of the body; the app tries once more.',
  },
  'upload-not-json': { at: 'answer', what: 'The body is cut short, so that it is no JSON.' },
  'upload-array': { at: 'answer', what: 'The body is a JSON array around what it should be.' },
  'upload-as-text': { at: 'answer', what: 'The body is sent as text/plain.' },
  'upload-too-large': { at: 'answer', what: 'The body is filled up with white space to more than 64 KiB.' },
  'upload-empty': { at: 'answer', what: 'The body is empty.' },
} as const satisfies Record<string, { readonly at: 'push' | 'scan' | 'answer'; readonly what: string }>

export type PhoneActionName = keyof typeof PHONE_ACTIONS

/** Numbers that whoever arms the fault may change. */
export type PhoneActionParameters = {
  readonly delay_ms?: number
  readonly piece_bytes?: number
  readonly pause_ms?: number
}

/** An upload in pieces of nothing would never end. */
export const SMALLEST_PARAMETERS = {
  delay_ms: 0,
  piece_bytes: 1,
  pause_ms: 0,
} as const satisfies Record<keyof PhoneActionParameters, number>

/** The largest that each may be. */
export const LARGEST_PARAMETERS = {
  delay_ms: DAY_MS,
  piece_bytes: 65_536,
  pause_ms: 60_000,
} as const satisfies Record<keyof PhoneActionParameters, number>

export type PhoneAction = { readonly action: PhoneActionName; readonly parameters?: PhoneActionParameters }
