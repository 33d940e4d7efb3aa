import { type Bytes, utf8 } from '../../../core/protocol/bytes.ts'
import type { Millis } from '../../../core/protocol/time.ts'
import * as asn1 from '../der.ts'

export const KEY_DESCRIPTION = '1.3.6.1.4.1.11129.2.1.17'

// Keymaster: KM_PURPOSE_SIGN, KM_ORIGIN_GENERATED, KM_ALGORITHM_EC, and password or fingerprint.
export const KEYMASTER = { purposeSign: 2, originGenerated: 0, algorithmEc: 3, anyUserAuth: 3 } as const

/** SecurityLevel: where a key lives, and where its attestation was made. */
export const SECURITY_LEVEL = { software: 0, trustedEnvironment: 1, strongbox: 2 } as const

const dateTime = (millis: Millis): Bytes => asn1.integer(asn1.uint64(millis))

type Application = { readonly packageName: string; readonly version: number; readonly signer: Uint8Array }

/** AttestationApplicationId: the calling packages, and the digests of their signing certificates. */
const applicationId = ({ packageName, version, signer }: Application): Bytes =>
  asn1.octetString(
    asn1.sequence(
      asn1.set(asn1.sequence(asn1.octetString(utf8(packageName)), asn1.integer(version))),
      asn1.set(asn1.octetString(signer)),
    ),
  )

const VERIFIED_BOOT = 0

type Root = { readonly verifiedBootKey: Uint8Array; readonly verifiedBootHash: Uint8Array }

const rootOfTrust = ({ verifiedBootKey: key, verifiedBootHash: hash }: Root): Bytes =>
  asn1.sequence(asn1.octetString(key), asn1.boolean(true), asn1.enumerated(VERIFIED_BOOT), asn1.octetString(hash))

const integers = (values: readonly number[]): Bytes => asn1.set(...values.map(asn1.integer))

/** The members of Android's AuthorizationList that matter here, by tag, in whose order DER's SEQUENCE has them. */
const AUTHORIZATIONS = {
  purpose: [1, integers],
  algorithm: [2, asn1.integer],
  keySize: [3, asn1.integer],
  digest: [5, integers],
  ecCurve: [10, asn1.integer],
  userAuthType: [504, asn1.integer],
  /** Seconds. */
  authTimeout: [505, asn1.integer],
  allApplications: [600, (_: true) => asn1.nullValue],
  creationDateTime: [701, dateTime],
  origin: [702, asn1.integer],
  rootOfTrust: [704, rootOfTrust],
  osVersion: [705, asn1.integer],
  osPatchLevel: [706, asn1.integer],
  applicationId: [709, applicationId],
  vendorPatchLevel: [718, asn1.integer],
  bootPatchLevel: [719, asn1.integer],
} as const

/** A member without a value is left out. */
export type AuthorizationDraft = {
  readonly [Name in keyof typeof AUTHORIZATIONS]?: Parameters<(typeof AUTHORIZATIONS)[Name][1]>[0]
}

const encodeAuthorization = (draft: AuthorizationDraft): Bytes =>
  asn1.sequence(
    ...Object.entries(AUTHORIZATIONS).flatMap(([name, [tag, encode]]) => {
      const value = draft[name as keyof AuthorizationDraft]
      return value === undefined ? [] : [asn1.tagged(tag, encode(value as never))]
    }),
  )

/** Android Keystore's KeyDescription, the extension 1.3.6.1.4.1.11129.2.1.17. */
export const encodeKeyDescription = asn1.structure(asn1.sequence, {
  attestationVersion: asn1.integer,
  attestationSecurityLevel: asn1.enumerated,
  keymasterVersion: asn1.integer,
  keymasterSecurityLevel: asn1.enumerated,
  attestationChallenge: asn1.octetString,
  uniqueId: asn1.octetString,
  softwareEnforced: encodeAuthorization,
  teeEnforced: encodeAuthorization,
})

export type KeyDescriptionDraft = Parameters<typeof encodeKeyDescription>[0]
