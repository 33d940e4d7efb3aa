import type { Bytes } from '../../../core/protocol/bytes.ts'
import { type CborValue, encodeCanonicalCbor } from '../canonical-cbor.ts'

export type AttestationStatement = ReadonlyMap<string, CborValue>

export type AttestationObjectDraft = {
  readonly fmt: CborValue
  readonly attStmt: CborValue
  readonly authData: CborValue
}

/** WebAuthn §6.5.4. */
export const encodeAttestationObject = (draft: AttestationObjectDraft): Bytes =>
  encodeCanonicalCbor(new Map<string, CborValue>(Object.entries(draft)))
