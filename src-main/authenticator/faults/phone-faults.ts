import type { FaultTable } from './fault.ts'
import type { PhoneActionName, PhoneActionParameters } from './phone-actions.ts'

const phone = (action: PhoneActionName, parameters?: PhoneActionParameters) => ({
  phone: parameters === undefined ? { action } : { action, parameters },
})

const protocol = { ceremony: 'both', seam: 'protocol' } as const
const transport = { ceremony: 'both', seam: 'transport' } as const
const time = { ceremony: 'both', seam: 'time' } as const
const push = { ceremony: 'authentication', seam: 'transport', needs: { method: 'push' } } as const
const signIn = { ...protocol, ceremony: 'authentication' } as const

/** Faults with honest bytes at the wrong time, in the wrong place or too often: the phone carries them out. */
export const phoneFaults = {
  'answered-twice': {
    ...protocol,
    title: 'The same answer is sent again after the verdict',
    expected: 'success',
    apply: phone('answer-twice'),
  },
  'answered-differently': {
    ...protocol,
    title: 'After the verdict another answer is sent',
    expected: 40903,
    apply: phone('answer-differently'),
  },
  'rejected-after-answer': {
    ...protocol,
    title: 'The user says no after having said yes',
    expected: 40903,
    apply: phone('reject-after-answer'),
  },
  'answered-from-another-phone': {
    ...protocol,
    title: 'A phone answers that another phone has scanned',
    expected: 40301,
    needs: { phones: 2 },
    apply: phone('answer-from-other-phone'),
  },
  'answered-to-another-message': {
    ...protocol,
    title: 'The answer goes to another message: its challenge is not the one asked',
    expected: 'challenge_mismatch',
    apply: phone('answer-other-message'),
  },
  'answered-at-other-endpoint': {
    ...protocol,
    title: "The answer goes to the other ceremony's address",
    expected: 40402,
    apply: phone('answer-at-other-endpoint'),
  },
  'answered-without-scanning': {
    ...protocol,
    title: 'The app answers a message that it never bound',
    expected: 40902,
    apply: phone('skip-bind'),
  },
  'replayed-answer': {
    ...signIn,
    title: 'An answer of an earlier sign-in is sent again',
    expected: 'challenge_mismatch',
    needs: { signedInBefore: true },
    apply: phone('replay-answer'),
  },
  'scanned-twice': {
    ...protocol,
    title: 'The same phone scans twice',
    expected: 'success',
    apply: phone('bind-twice'),
  },
  'scanned-by-another-phone': {
    ...protocol,
    title: 'A second phone scans the same code',
    expected: 40301,
    needs: { phones: 2 },
    apply: phone('bind-from-other-phone'),
  },
  'signed-out-while-answering': {
    ...protocol,
    title: 'The app has lost its sign-in when it answers',
    expected: 40110,
    apply: phone('drop-token'),
  },

  'upload-slow': {
    ...transport,
    title: 'The upload trickles, but arrives in time',
    expected: 'success',
    apply: phone('upload-slowly', { piece_bytes: 256, pause_ms: 100 }),
  },
  'upload-duplicated': {
    ...transport,
    title: 'The upload arrives twice at the same time',
    expected: 'success',
    apply: phone('upload-twice-at-once'),
  },
  'response-lost': {
    ...transport,
    title: 'The verdict is lost on its way; the app asks again',
    expected: 'success',
    apply: phone('lose-response'),
  },
  'response-lost-for-good': {
    ...transport,
    title: 'The verdict is lost on its way; the app never learns it',
    expected: 'success',
    apply: phone('lose-response-for-good'),
  },
  'upload-cut-off': {
    ...transport,
    title: 'The connection breaks during the upload',
    expected: 'timeout',
    apply: phone('cut-upload'),
  },
  'upload-cut-off-and-repeated': {
    ...transport,
    title: 'The connection breaks during the upload; the app tries again',
    expected: 'success',
    apply: phone('cut-upload-and-retry'),
  },
  'upload-not-json': { ...transport, title: 'The upload is no JSON', expected: 40001, apply: phone('upload-not-json') },
  'upload-list': { ...transport, title: 'The upload is a list', expected: 40001, apply: phone('upload-array') },
  'upload-empty': { ...transport, title: 'The upload is empty', expected: 40001, apply: phone('upload-empty') },
  'upload-as-text': {
    ...transport,
    title: 'The upload says that it is plain text',
    expected: 41501,
    apply: phone('upload-as-text'),
  },
  'upload-too-large': {
    ...transport,
    title: 'The upload is larger than 64 KiB',
    expected: 41301,
    apply: phone('upload-too-large'),
  },
  'app-killed-after-scanning': {
    ...transport,
    title: 'The app is killed after scanning',
    expected: 'timeout',
    apply: phone('stop-after-scan'),
  },

  'push-lost': { ...push, title: 'The push never arrives', expected: 'timeout', apply: phone('lose-push') },
  'push-late': {
    ...push,
    title: 'The push arrives a minute late',
    expected: 'success',
    apply: phone('delay-push', { delay_ms: 60_000 }),
  },
  'push-too-late': {
    ...push,
    title: 'The push arrives after the message has expired',
    expected: 'timeout',
    apply: phone('delay-push', { delay_ms: 3_600_000 }),
  },
  'push-twice': { ...push, title: 'The push arrives twice', expected: 'success', apply: phone('repeat-push') },

  'answer-late': {
    ...time,
    title: 'The user takes half a minute',
    expected: 'success',
    apply: phone('answer-later', { delay_ms: 30_000 }),
  },
  'answer-at-last-moment': {
    ...time,
    title: 'The answer arrives a millisecond before the expiry',
    expected: 'success',
    apply: phone('answer-at-last-moment'),
  },
  'answer-after-expiry': {
    ...time,
    title: 'The answer arrives after the expiry',
    expected: 41002,
    apply: phone('answer-after-expiry'),
  },
  'scan-after-expiry': {
    ...time,
    title: 'The code is scanned after the expiry',
    expected: 41002,
    apply: phone('bind-after-expiry'),
  },
} as const satisfies FaultTable
