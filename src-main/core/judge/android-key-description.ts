import type { Bytes } from '../protocol/bytes.ts'
import * as asn1 from './der.ts'

/** The fields of an AuthorizationList that WebAuthn §8.4 needs. */
export type AuthorizationList = {
  readonly purposes?: readonly number[]
  readonly origin?: number
  readonly allApplications: boolean
}

const PURPOSE = 1
const ALL_APPLICATIONS = 600
const ORIGIN_TAG = 702

/** KeyDescription of Android's key attestation extension (1.3.6.1.4.1.11129.2.1.17). */
export const decodeAndroidKeyDescription = (bytes: Bytes) => {
  const der = asn1.decodeDer(bytes)
  const fields = der.ok ? asn1.sequenceItems(der.value) : undefined
  if (fields?.length !== 8) return undefined
  const attestationChallenge = asn1.octetStringBytes(fields[4])
  const softwareEnforced = decodeAuthorizations(fields[6])
  const teeEnforced = decodeAuthorizations(fields[7])
  if (attestationChallenge === undefined || softwareEnforced === undefined || teeEnforced === undefined)
    return undefined
  return { attestationChallenge, softwareEnforced, teeEnforced }
}

const decodeAuthorizations = (node: asn1.DerNode | undefined): AuthorizationList | undefined => {
  const fields = asn1.sequenceItems(node)
  if (fields === undefined) return undefined
  const field = (tag: number) => fields.find((candidate) => asn1.isContext(candidate, tag))
  const origin = field(ORIGIN_TAG)
  const purpose = field(PURPOSE)
  const originValue = asn1.smallInteger(origin?.children[0])
  const set = purpose?.children[0]
  const purposes = asn1.isUniversal(set, asn1.TAG.set) ? set.children.map(asn1.smallInteger) : undefined
  if (origin && originValue === undefined) return undefined
  if (purpose && !purposes?.every((value) => value !== undefined)) return undefined
  return {
    ...(purposes && { purposes: purposes.filter((value) => value !== undefined) }),
    ...(originValue !== undefined && { origin: originValue }),
    allApplications: field(ALL_APPLICATIONS) !== undefined,
  }
}
