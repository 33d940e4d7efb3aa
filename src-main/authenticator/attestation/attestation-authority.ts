import { toBase64url } from '../../protocol/bytes.ts'
import type { Millis } from '../../protocol/clock.ts'
import type { RandomSource } from '../../protocol/random.ts'
import type { Base64url } from '../../protocol/webauthn-json.ts'

/** The makers of a workspace's phones: plain JSON, so that it lives and travels with the workspace. */
export type AttestationAuthority = {
  readonly createdAt: Millis
  /** What the makers' batch keys are derived from. */
  readonly secret: Base64url
}

export const makeAttestationAuthority = async (input: {
  readonly random: RandomSource
  readonly now: Millis
}): Promise<AttestationAuthority> => ({ createdAt: input.now, secret: toBase64url(input.random.bytes(32)) })
