import { type FaultTable, faultsAt } from './fault.ts'
import type { PhoneActionName, PhoneActionParameters } from './phone-action-names.ts'

const phone = (action: PhoneActionName, parameters?: PhoneActionParameters) => ({
  phone: parameters === undefined ? { action } : { action, parameters },
})

const protocol = faultsAt('both', 'protocol')
const transport = faultsAt('both', 'transport')
const time = faultsAt('both', 'time')
const push = faultsAt('authentication', 'transport', { method: 'push' })
const signIn = faultsAt('authentication', 'protocol')
const signal = faultsAt('none', 'signal')('none')

/** Faults that the phone carries out: correct bytes at the wrong time, in the wrong place or too often. */
export const phoneFaults = {
  'answered-twice': protocol('success')(phone('answer-twice')),
  'answered-differently': protocol(40903)(phone('answer-differently')),
  'rejected-after-answer': protocol(40903)(phone('reject-after-answer')),
  'answered-from-another-phone': protocol(40301, { phones: 2 })(phone('answer-from-other-phone')),
  'answered-to-another-message': protocol('challenge_mismatch')(phone('answer-other-message')),
  'answered-at-other-endpoint': protocol(40402)(phone('answer-at-other-endpoint')),
  'answered-without-scanning': protocol(40902)(phone('skip-bind')),
  'replayed-answer': signIn('challenge_mismatch', { signedInBefore: true })(phone('replay-answer')),
  'scanned-twice': protocol('success')(phone('bind-twice')),
  'scanned-by-another-phone': protocol(40301, { phones: 2 })(phone('bind-from-other-phone')),
  'signed-out-while-answering': protocol(40110)(phone('drop-token')),

  'upload-slow': transport('success')(phone('upload-slowly', { piece_bytes: 256, pause_ms: 100 })),
  'upload-duplicated': transport('success')(phone('upload-twice-at-once')),
  'response-lost': transport('success')(phone('lose-response')),
  'response-lost-for-good': transport('success')(phone('lose-response-for-good')),
  'upload-cut-off': transport('timeout')(phone('cut-upload')),
  'upload-cut-off-and-repeated': transport('success')(phone('cut-upload-and-retry')),
  'upload-not-json': transport(40001)(phone('upload-not-json')),
  'upload-list': transport(40001)(phone('upload-array')),
  'upload-empty': transport(40001)(phone('upload-empty')),
  'upload-as-text': transport(41501)(phone('upload-as-text')),
  'upload-too-large': transport(41301)(phone('upload-too-large')),
  'app-killed-after-scanning': transport('timeout')(phone('stop-after-scan')),

  'push-lost': push('timeout')(phone('lose-push')),
  'push-late': push('success')(phone('delay-push', { delay_ms: 60_000 })),
  'push-too-late': push('timeout')(phone('delay-push', { delay_ms: 3_600_000 })),
  'push-twice': push('success')(phone('repeat-push')),

  'answer-late': time('success')(phone('answer-later', { delay_ms: 30_000 })),
  'answer-at-last-moment': time('success')(phone('answer-at-last-moment')),
  'answer-after-expiry': time(41002)(phone('answer-after-expiry')),
  'scan-after-expiry': time(41002)(phone('bind-after-expiry')),

  'signal-ignored': signal(phone('ignore-signal')),
  'signal-of-another': signal(phone('misattribute-signal')),
} as const satisfies FaultTable
