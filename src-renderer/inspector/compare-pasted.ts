import { type FirstDifference, firstDifference } from '../../src-main/core/judge/signing/first-difference.ts'

/** A canonical request begins with its method, a string to sign with the name of the algorithm. */
const METHOD_LINE = /^(GET|POST|DELETE|PUT|PATCH|HEAD)\n/i

type Compared = {
  /** Undefined where both are the same, line for line. */
  readonly difference: FirstDifference | undefined
  /** All lines are the same but the last one, the hash of the body. */
  readonly isBody: boolean
}

/** What a user has signed, beside what the service computed. */
export const comparePasted = (
  signed: string,
  computed: { readonly canonical: string; readonly toSign: string },
): Compared => {
  if (!METHOD_LINE.test(signed)) {
    return { difference: firstDifference('string_to_sign', { signed, computed: computed.toSign }), isBody: false }
  }
  const difference = firstDifference('canonical_request', { signed, computed: computed.canonical })
  return { difference, isBody: difference?.line === computed.canonical.split('\n').length }
}
