import type { OpinionGiver, OpinionWords } from '../../core/contract/judge/opinion.ts'

import { algorithmName } from '../../core/judge/algorithms.ts'
import type { AuthenticationCase, RegistrationCase } from '../../core/judge/ceremony-case.ts'
import type { JudgeCrypto } from '../../core/judge/crypto-port.ts'
import { judgeAuthentication } from '../../core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../core/judge/judge-registration.ts'
import { attestedKey } from './library-limits.ts'

import { type PeculiarCrypto, peculiarCrypto } from './peculiar-crypto.ts'

const BY = '@peculiar/webcrypto'

/** What another library says of a ceremony, or why none was asked. */
export type Opinion =
  | {
      readonly heard: true
      readonly by: OpinionGiver
      readonly accepts: boolean
      readonly reason?: string | OpinionWords
    }
  | { readonly heard: false; readonly why: OpinionWords }

/**
 * Where @simplewebauthn/server cannot be asked, another library does the mathematics: the judge’s steps with every hash,
 * key and signature by @peculiar/webcrypto. `why` is told where there was nothing for it to verify.
 */
export const signatureOpinion = async (
  ceremony: RegistrationCase | AuthenticationCase,
  why: OpinionWords,
): Promise<Opinion> => {
  const library = await peculiarCrypto()
  const seen = { verified: 0, refused: 0, lacking: new Set<number>() }
  const crypto = watched(library, seen)
  const { accepted, failure } =
    'roots' in ceremony ? await judgeRegistration(ceremony, crypto) : await judgeAuthentication(ceremony, crypto)
  const takesKey = 'roots' in ceremony && accepted ? await takesAttested(library, ceremony, seen) : undefined
  const [lacking] = seen.lacking
  if (lacking !== undefined) {
    return { heard: false, why: { code: 'no_library_has', params: { algorithm: algorithmName(lacking) } } }
  }
  if (seen.refused > 0 || takesKey === false) {
    return { heard: true, by: BY, accepts: false, reason: { code: 'signature_not_verified' } }
  }
  if (seen.verified === 0 && takesKey === undefined) return { heard: false, why }
  return accepted
    ? { heard: true, by: BY, accepts: true }
    : { heard: true, by: BY, accepts: false, reason: failure?.word ?? '' }
}

type Seen = { verified: number; refused: number; readonly lacking: Set<number> }

const watched = (crypto: JudgeCrypto, seen: Seen): JudgeCrypto => ({
  ...crypto,
  verify: async (check) => {
    const verified = await crypto.verify(check)
    if (!verified.ok) seen.lacking.add(check.algorithm)
    else if (verified.value) seen.verified++
    else seen.refused++
    return verified
  },
})

/** Without attestation nothing is signed in a registration: then the new key is all that there is to look at. */
const takesAttested = async (
  library: PeculiarCrypto,
  input: RegistrationCase,
  seen: Seen,
): Promise<boolean | undefined> => {
  const attested = attestedKey(input)
  if (attested === undefined) return undefined
  const taken = await library.imports(attested.key)
  if (taken.ok) return taken.value
  seen.lacking.add(attested.algorithm)
  return undefined
}
