import type { FaultName } from './faults.ts'
import { type CarefulAct, type ServiceFaultName, serviceFaultOf } from './service-faults.ts'

/** What a correct server does with a fault, in one word and in English. */
export const shoulds = {
  refuse: 'refuse it',
  accept: 'accept it',
  expire: 'let it expire',
  ask_again: 'ask again',
  limit: 'set a limit',
  check: 'check it itself',
  ignore: 'ignore it',
  escape: 'show it as text',
}

export type Reaction = keyof typeof shoulds

const OTHERS: Partial<Readonly<Record<CarefulAct, Reaction>>> = {
  again: 'ask_again',
  passing: 'ask_again',
  expiry: 'limit',
  time: 'limit',
  size: 'limit',
  retry: 'limit',
  record: 'check',
  owner: 'check',
  shape: 'check',
  deleted: 'check',
  clock: 'ignore',
  cache: 'ignore',
  text: 'escape',
}

export const reactionToServiceFault = (fault: ServiceFaultName): Reaction =>
  OTHERS[serviceFaultOf(fault).act] ?? 'refuse'

const OF_OUTCOMES: Readonly<Record<string | number, Reaction>> = { success: 'accept', timeout: 'expire', none: 'check' }

/** `expected`: the outcome at the service, as in the catalogue of the phones' faults. */
export const reactionToPhoneFault = (expected: string | number): Reaction => OF_OUTCOMES[expected] ?? 'refuse'

/** The search words of each topic are in core/messages. */
export const FAULT_TOPICS = {
  timeout:
    /^(timeout|no-answer|body-stalls|slow-drip|answer-(late|at-last|after)|scan-after|push-(late|too-late|lost)|expires-|upload-slow|upload-cut-off$|app-killed|retry-after|safetynet-stale)/,
  cancel: /^(fail-|error-with-|success-with-error|rejected-|app-killed|signed-out|final-answer-)/,
  network:
    /^(connection-|no-answer|body-|slow-drip|length-|chunk|header|protocol-|not-http|gateway|html-|final-answer|upload-|response-lost|redirect|push-(lost|late|twice)|gzip|encoding)/,
  signature: /signature|changed-after-signing|^algorithm-|^key-/,
  mismatch: /^signature-(tampered|by-another-key|over-other-data)$/,
  phishing: /^(origin-|cross-origin|top-origin|rp-id-hash|url-to-another|url-with-script)/,
  replay: /replay|^challenge-|cloned|^counter-|twice|-again|duplicated/,
  identity: /^user-|foreign|of-another|another-(phone|message)|for-another/,
  encoding: /base64|utf|byte-order|-case|capitals|normalization|zero-width|with-space|gzip|content-type/,
  malformed: /truncated|cut-off|malformed|mistyped|missing|-null$|not-a-|trailing|not-json/,
  certificate: /certificate|chain|issuer|attestation|tpm|android|apple|u2f|safetynet/,
  injection: /markup|script/,
  clock: /clock|expir|not-yet|stale|future|after-date|after-a-day/,
  rate: /^retry-after/,
} as const satisfies Readonly<Record<string, RegExp>>

export type FaultTopic = keyof typeof FAULT_TOPICS

export const topicsOf = (fault: FaultName | ServiceFaultName): readonly FaultTopic[] =>
  (Object.keys(FAULT_TOPICS) as FaultTopic[]).filter((topic) => FAULT_TOPICS[topic].test(fault))
