import type { StepId } from './judge/steps.ts'

/**
 * `failed`: the service contradicts the document. `warning`: no rule forbids it, but it causes trouble. `review`: a
 * person must decide. `vacuous`: the valid variant was refused too, so this refusal proves nothing. `skipped`: a
 * requirement of the case is missing. Worst first.
 */
export const CHECK_VERDICTS = ['failed', 'vacuous', 'warning', 'review', 'skipped', 'passed'] as const
export type CheckVerdict = (typeof CHECK_VERDICTS)[number]

/** Secrets are masked: cookies, credentials, and values named like secrets. */
export type CheckedExchange = {
  readonly method: string
  readonly url: string
  readonly request_headers: readonly (readonly [string, string])[]
  readonly request_body: string
  /** 0 if no complete answer arrived; `problem` says why. */
  readonly status: number
  readonly response_headers: readonly (readonly [string, string])[]
  readonly response_body: string
  readonly problem?: string
  /** Real time, milliseconds since 1970 UTC. */
  readonly at: number
  readonly took_ms: number
  /** Repeats the request; its signature stays valid while its date is recent. */
  readonly curl: string
}

export type CheckedCase = {
  readonly id: string
  readonly name: string
  /** `step`: the WebAuthn Level 3 step that judges a phone's answer. */
  readonly says: { readonly page: string; readonly heading: string; readonly sentence: string; readonly step?: StepId }
  readonly verdict: CheckVerdict
  /** Why the case is expected to fail, from the file given with --expected. */
  readonly expected?: string
  /** The actual result, where it differs from the expected one. */
  readonly text?: string
  readonly took_ms: number
  readonly exchanges: readonly CheckedExchange[]
  /** The command that runs only this case. */
  readonly again: string
}

export type CheckReport = {
  readonly handset: string
  readonly base_url: string
  readonly app_url?: string
  readonly began: number
  readonly took_ms: number
  readonly cases: readonly CheckedCase[]
}

/** Pages of docs/ have names in lower case; a specification has its title. */
export const isHandsetPage = (page: string): boolean => page === page.toLowerCase()

/** The sentence that a case checks, with its source. */
export const sourceQuote = ({ page, sentence }: CheckedCase['says']): string =>
  `${isHandsetPage(page) ? 'The document' : page}: ${sentence}`

export const isUnexpected = ({ verdict, expected }: CheckedCase): boolean =>
  expected === undefined ? verdict === 'failed' || verdict === 'vacuous' : verdict === 'passed'
