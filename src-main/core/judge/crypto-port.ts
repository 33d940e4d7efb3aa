import type { Bytes } from '../protocol/bytes.ts'
import type { Result } from '../protocol/result.ts'
import type { HashName, PublicKey } from './algorithms.ts'

export type SignatureCheck = {
  /** A COSE algorithm number; it decides the hash, the padding and how the signature is written. */
  readonly algorithm: number
  readonly key: PublicKey
  readonly data: Bytes
  /** Encoded as WebAuthn §6.5.5 requires: ECDSA as DER, the others unchanged. */
  readonly signature: Bytes
}

/** A missing algorithm gives `unsupported`, not an invalid signature. */
export type JudgeCrypto = {
  digest(hash: HashName, data: Bytes): Bytes | Promise<Bytes>
  verify(check: SignatureCheck): Result<boolean, 'unsupported'> | Promise<Result<boolean, 'unsupported'>>
}
