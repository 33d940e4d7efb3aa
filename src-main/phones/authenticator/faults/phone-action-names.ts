import { DAY_MS } from '../../../core/protocol/time.ts'
/** Faults that the phone carries out with correct bytes, each with its moment. The names never change. */
export const PHONE_ACTIONS = {
  'lose-push': 'push',
  'delay-push': 'push',
  'repeat-push': 'push',

  'stop-after-scan': 'scan',
  'bind-twice': 'scan',
  'bind-from-other-phone': 'scan',
  'bind-after-expiry': 'scan',
  'skip-bind': 'scan',

  'answer-twice': 'answer',
  'answer-differently': 'answer',
  'answer-from-other-phone': 'answer',
  'answer-other-message': 'answer',
  'answer-at-other-endpoint': 'answer',
  'replay-answer': 'answer',
  'reject-after-answer': 'answer',
  'answer-after-expiry': 'answer',
  'answer-at-last-moment': 'answer',
  'answer-later': 'answer',
  'drop-token': 'answer',

  'upload-slowly': 'answer',
  'upload-twice-at-once': 'answer',
  'lose-response': 'answer',
  'lose-response-for-good': 'answer',
  'cut-upload': 'answer',
  'cut-upload-and-retry': 'answer',
  'upload-not-json': 'answer',
  'upload-array': 'answer',
  'upload-as-text': 'answer',
  'upload-too-large': 'answer',
  'upload-empty': 'answer',

  'ignore-signal': 'signal',
  'misattribute-signal': 'signal',
} as const satisfies Record<string, 'push' | 'scan' | 'answer' | 'signal'>

export type PhoneActionName = keyof typeof PHONE_ACTIONS

/** `piece_bytes` is above 0: an upload in empty pieces would never end. */
export const PARAMETER_RANGES = {
  delay_ms: { least: 0, most: DAY_MS },
  piece_bytes: { least: 1, most: 65_536 },
  pause_ms: { least: 0, most: 60_000 },
} as const

export type PhoneActionParameters = { readonly [Name in keyof typeof PARAMETER_RANGES]?: number }

export type PhoneAction = { readonly action: PhoneActionName; readonly parameters?: PhoneActionParameters }
