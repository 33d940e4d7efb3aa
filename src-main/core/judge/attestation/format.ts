import type { JudgedCheck } from '../../contract/judge/verdict.ts'
import type { Bytes } from '../../protocol/bytes.ts'
import type { Millis } from '../../protocol/time.ts'
import type { AttestedCredential, AuthenticatorData } from '../authenticator-data.ts'
import type { CborMap } from '../cbor.ts'
import type { AttestationType } from '../ceremony-case.ts'
import type { Certificate } from '../certificate.ts'
import type { CoseKey } from '../cose-key.ts'
import type { JudgeCrypto } from '../crypto-port.ts'
import type { JudgeSwitches } from '../switches.ts'

/** The inputs of a verification procedure (WebAuthn §6.5.2). */
export type AttestationInput = {
  readonly statement: CborMap
  readonly authenticatorData: AuthenticatorData & { readonly attested: AttestedCredential & { readonly key: CoseKey } }
  readonly clientDataHash: Bytes
  readonly now: Millis
  readonly crypto: JudgeCrypto
  readonly switches: JudgeSwitches
}

/** Its outputs; there is a type only when no check failed. */
export type AttestationOutcome = {
  readonly checks: readonly JudgedCheck[]
  readonly type: AttestationType
  readonly trustPath: readonly Certificate[]
  /** Of the other statements of a compound one. */
  readonly others?: readonly AttestationOutcome[]
}

export type VerifyAttestation = (input: AttestationInput) => AttestationOutcome | Promise<AttestationOutcome>
