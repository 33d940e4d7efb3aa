import type { Bytes } from '../../protocol/bytes.ts'
import { enumerated, integer, nullValue, octetString, sequence, set, tagged } from '../der.ts'

/** The members of Android's AuthorizationList that matter here; absent means absent. */
export type AuthorizationDraft = {
  readonly purpose?: readonly number[]
  readonly algorithm?: number
  readonly keySize?: number
  readonly digest?: readonly number[]
  readonly ecCurve?: number
  readonly allApplications?: true
  readonly origin?: number
}

/** Android Keystore's KeyDescription, the extension 1.3.6.1.4.1.11129.2.1.17. */
export type KeyDescriptionDraft = {
  readonly attestationVersion: number
  readonly attestationSecurityLevel: number
  readonly keymasterVersion: number
  readonly keymasterSecurityLevel: number
  readonly attestationChallenge: Uint8Array
  readonly uniqueId: Uint8Array
  readonly softwareEnforced: AuthorizationDraft
  readonly teeEnforced: AuthorizationDraft
}

export const KEY_DESCRIPTION = '1.3.6.1.4.1.11129.2.1.17'

// Keymaster: KM_PURPOSE_SIGN, KM_ORIGIN_GENERATED, KM_ALGORITHM_EC, KM_DIGEST_SHA_2_256.
export const KEYMASTER = { purposeSign: 2, originGenerated: 0, algorithmEc: 3, trustedEnvironment: 1 } as const

// The fields are in the order of their tags, as DER's SEQUENCE has them.
const encodeAuthorization = (draft: AuthorizationDraft): Bytes =>
  sequence(
    ...(draft.purpose === undefined ? [] : [tagged(1, set(...draft.purpose.map(integer)))]),
    ...(draft.algorithm === undefined ? [] : [tagged(2, integer(draft.algorithm))]),
    ...(draft.keySize === undefined ? [] : [tagged(3, integer(draft.keySize))]),
    ...(draft.digest === undefined ? [] : [tagged(5, set(...draft.digest.map(integer)))]),
    ...(draft.ecCurve === undefined ? [] : [tagged(10, integer(draft.ecCurve))]),
    ...(draft.allApplications === undefined ? [] : [tagged(600, nullValue)]),
    ...(draft.origin === undefined ? [] : [tagged(702, integer(draft.origin))]),
  )

export const encodeKeyDescription = (draft: KeyDescriptionDraft): Bytes =>
  sequence(
    integer(draft.attestationVersion),
    enumerated(draft.attestationSecurityLevel),
    integer(draft.keymasterVersion),
    enumerated(draft.keymasterSecurityLevel),
    octetString(draft.attestationChallenge),
    octetString(draft.uniqueId),
    encodeAuthorization(draft.softwareEnforced),
    encodeAuthorization(draft.teeEnforced),
  )
