import type { FaultTable } from './fault.ts'
import type { PhoneActionName, PhoneActionParameters } from './phone-action-names.ts'

const phone = (action: PhoneActionName, parameters?: PhoneActionParameters) => ({
  phone: parameters === undefined ? { action } : { action, parameters },
})

const protocol = { ceremony: 'both', seam: 'protocol' } as const
const transport = { ceremony: 'both', seam: 'transport' } as const
const time = { ceremony: 'both', seam: 'time' } as const
const push = { ceremony: 'authentication', seam: 'transport', needs: { method: 'push' } } as const
const signal = { ceremony: 'none', seam: 'signal', expected: 'none' } as const
const signIn = { ...protocol, ceremony: 'authentication' } as const

/** Faults that the phone carries out: correct bytes at the wrong time, in the wrong place or too often. */
export const phoneFaults = {
  'answered-twice': { ...protocol, expected: 'success', apply: phone('answer-twice') },
  'answered-differently': { ...protocol, expected: 40903, apply: phone('answer-differently') },
  'rejected-after-answer': { ...protocol, expected: 40903, apply: phone('reject-after-answer') },
  'answered-from-another-phone': {
    ...protocol,
    expected: 40301,
    needs: { phones: 2 },
    apply: phone('answer-from-other-phone'),
  },
  'answered-to-another-message': { ...protocol, expected: 'challenge_mismatch', apply: phone('answer-other-message') },
  'answered-at-other-endpoint': { ...protocol, expected: 40402, apply: phone('answer-at-other-endpoint') },
  'answered-without-scanning': { ...protocol, expected: 40902, apply: phone('skip-bind') },
  'replayed-answer': {
    ...signIn,
    expected: 'challenge_mismatch',
    needs: { signedInBefore: true },
    apply: phone('replay-answer'),
  },
  'scanned-twice': { ...protocol, expected: 'success', apply: phone('bind-twice') },
  'scanned-by-another-phone': {
    ...protocol,
    expected: 40301,
    needs: { phones: 2 },
    apply: phone('bind-from-other-phone'),
  },
  'signed-out-while-answering': { ...protocol, expected: 40110, apply: phone('drop-token') },

  'upload-slow': {
    ...transport,
    expected: 'success',
    apply: phone('upload-slowly', { piece_bytes: 256, pause_ms: 100 }),
  },
  'upload-duplicated': { ...transport, expected: 'success', apply: phone('upload-twice-at-once') },
  'response-lost': { ...transport, expected: 'success', apply: phone('lose-response') },
  'response-lost-for-good': { ...transport, expected: 'success', apply: phone('lose-response-for-good') },
  'upload-cut-off': { ...transport, expected: 'timeout', apply: phone('cut-upload') },
  'upload-cut-off-and-repeated': { ...transport, expected: 'success', apply: phone('cut-upload-and-retry') },
  'upload-not-json': { ...transport, expected: 40001, apply: phone('upload-not-json') },
  'upload-list': { ...transport, expected: 40001, apply: phone('upload-array') },
  'upload-empty': { ...transport, expected: 40001, apply: phone('upload-empty') },
  'upload-as-text': { ...transport, expected: 41501, apply: phone('upload-as-text') },
  'upload-too-large': { ...transport, expected: 41301, apply: phone('upload-too-large') },
  'app-killed-after-scanning': { ...transport, expected: 'timeout', apply: phone('stop-after-scan') },

  'push-lost': { ...push, expected: 'timeout', apply: phone('lose-push') },
  'push-late': { ...push, expected: 'success', apply: phone('delay-push', { delay_ms: 60_000 }) },
  'push-too-late': { ...push, expected: 'timeout', apply: phone('delay-push', { delay_ms: 3_600_000 }) },
  'push-twice': { ...push, expected: 'success', apply: phone('repeat-push') },

  'answer-late': { ...time, expected: 'success', apply: phone('answer-later', { delay_ms: 30_000 }) },
  'answer-at-last-moment': { ...time, expected: 'success', apply: phone('answer-at-last-moment') },
  'answer-after-expiry': { ...time, expected: 41002, apply: phone('answer-after-expiry') },
  'scan-after-expiry': { ...time, expected: 41002, apply: phone('bind-after-expiry') },

  'signal-ignored': { ...signal, apply: phone('ignore-signal') },
  'signal-of-another': { ...signal, apply: phone('misattribute-signal') },
} as const satisfies FaultTable
