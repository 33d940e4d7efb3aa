import { type Bytes, utf8 } from '../../../core/protocol/bytes.ts'
import type { Millis } from '../../../core/protocol/time.ts'
import * as asn1 from '../der.ts'

/** The members of Android's AuthorizationList that attestation needs. */
export type AuthorizationDraft = {
  readonly purpose?: readonly number[]
  readonly algorithm?: number
  readonly keySize?: number
  readonly digest?: readonly number[]
  readonly ecCurve?: number
  readonly userAuthType?: number
  /** Seconds. */
  readonly authTimeout?: number
  readonly allApplications?: true
  readonly creationDateTime?: Millis
  readonly origin?: number
  readonly rootOfTrust?: { readonly verifiedBootKey: Uint8Array; readonly verifiedBootHash: Uint8Array }
  readonly osVersion?: number
  readonly osPatchLevel?: number
  readonly applicationId?: { readonly packageName: string; readonly version: number; readonly signer: Uint8Array }
  readonly vendorPatchLevel?: number
  readonly bootPatchLevel?: number
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

// Keymaster: KM_PURPOSE_SIGN, KM_ORIGIN_GENERATED, KM_ALGORITHM_EC, and password or fingerprint.
export const KEYMASTER = { purposeSign: 2, originGenerated: 0, algorithmEc: 3, anyUserAuth: 3 } as const

/** SecurityLevel: where a key lives, and where its attestation was made. */
export const SECURITY_LEVEL = { software: 0, trustedEnvironment: 1, strongbox: 2 } as const

const dateTime = (millis: Millis): Bytes => {
  const octets = new Uint8Array(8)
  new DataView(octets.buffer).setBigUint64(0, BigInt(Math.max(0, Math.floor(millis))))
  return asn1.integer(octets)
}

/** AttestationApplicationId: the calling packages, and the digests of their signing certificates. */
const applicationId = ({ packageName, version, signer }: NonNullable<AuthorizationDraft['applicationId']>): Bytes =>
  asn1.octetString(
    asn1.sequence(
      asn1.set(asn1.sequence(asn1.octetString(utf8(packageName)), asn1.integer(version))),
      asn1.set(asn1.octetString(signer)),
    ),
  )

const VERIFIED_BOOT = 0

const rootOfTrust = (root: NonNullable<AuthorizationDraft['rootOfTrust']>): Bytes =>
  asn1.sequence(
    asn1.octetString(root.verifiedBootKey),
    asn1.boolean(true),
    asn1.enumerated(VERIFIED_BOOT),
    asn1.octetString(root.verifiedBootHash),
  )

const integers = (values: readonly number[]): Bytes => asn1.set(...values.map(asn1.integer))

// The fields are in the order of their tags, as DER's SEQUENCE has them.
const encodeAuthorization = (draft: AuthorizationDraft): Bytes => {
  const field = <T>(tag: number, value: T | undefined, encode: (value: T) => Bytes): readonly Bytes[] =>
    value === undefined ? [] : [asn1.tagged(tag, encode(value))]
  return asn1.sequence(
    ...field(1, draft.purpose, integers),
    ...field(2, draft.algorithm, asn1.integer),
    ...field(3, draft.keySize, asn1.integer),
    ...field(5, draft.digest, integers),
    ...field(10, draft.ecCurve, asn1.integer),
    ...field(504, draft.userAuthType, asn1.integer),
    ...field(505, draft.authTimeout, asn1.integer),
    ...field(600, draft.allApplications, () => asn1.nullValue),
    ...field(701, draft.creationDateTime, dateTime),
    ...field(702, draft.origin, asn1.integer),
    ...field(704, draft.rootOfTrust, rootOfTrust),
    ...field(705, draft.osVersion, asn1.integer),
    ...field(706, draft.osPatchLevel, asn1.integer),
    ...field(709, draft.applicationId, applicationId),
    ...field(718, draft.vendorPatchLevel, asn1.integer),
    ...field(719, draft.bootPatchLevel, asn1.integer),
  )
}

export const encodeKeyDescription = (draft: KeyDescriptionDraft): Bytes =>
  asn1.sequence(
    asn1.integer(draft.attestationVersion),
    asn1.enumerated(draft.attestationSecurityLevel),
    asn1.integer(draft.keymasterVersion),
    asn1.enumerated(draft.keymasterSecurityLevel),
    asn1.octetString(draft.attestationChallenge),
    asn1.octetString(draft.uniqueId),
    encodeAuthorization(draft.softwareEnforced),
    encodeAuthorization(draft.teeEnforced),
  )
