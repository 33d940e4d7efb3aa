import { createHash } from 'node:crypto'
import { type Bytes, concat, toBase64url, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import { type Cbor, map } from './cbor.ts'
import { attestationKey, C, type CertificateParts, CN, certificate, extension, name, O } from './certificates.ts'
import { context, enumerated, HIGH, integer, octets, oid, sequence, set, text, tlv } from './der.ts'
import { coseBytes, type TestKey } from './keys.ts'
import { NOW, type RegistrationParts, type SignedParts, sha256, uint16, uint32 } from './registration.ts'

/** One good statement per attestation format; each takes what a test changes. */

type MakeLeaf = (changes?: Partial<CertificateParts>) => Uint8Array

export type Certified = {
  readonly certificate?: Partial<CertificateParts>
  /** Replaces the chain, leaf first; may be made of the leaf with more changes. */
  readonly chain?: readonly Uint8Array[] | ((leaf: MakeLeaf) => readonly Uint8Array[])
  readonly members?: Readonly<Record<string, Cbor | undefined>>
  readonly attestationKey?: TestKey
}

const signedBytes = ({ authenticatorData, clientDataHash }: SignedParts): Bytes =>
  concat(authenticatorData, clientDataHash)

/** In canonical order: the shorter name first, then byte order. */
const statement = (members: Readonly<Record<string, Cbor | undefined>>): Cbor =>
  map(
    ...Object.entries(members)
      .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
      .flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  )

const chainOf = ({ chain, certificate: changes }: Certified, defaults: Partial<CertificateParts>) => {
  const leaf: MakeLeaf = (more) => certificate({ ...defaults, ...changes, ...more })
  return typeof chain === 'function' ? chain(leaf) : (chain ?? [leaf()])
}

export const packedStatement =
  (changes: Certified = {}) =>
  (signed: SignedParts): Cbor => {
    const key = changes.attestationKey ?? attestationKey()
    return statement({
      alg: key.algorithm,
      sig: key.sign(signedBytes(signed)),
      x5c: chainOf(changes, { key }),
      ...changes.members,
    })
  }

const u2fStatement =
  (changes: Certified = {}) =>
  (signed: SignedParts): Cbor => {
    const key = changes.attestationKey ?? attestationKey()
    const { parts, clientDataHash } = signed
    const point = concat(Uint8Array.of(4), coseBytes(signed.key.cose, -2), coseBytes(signed.key.cose, -3))
    const data = concat(Uint8Array.of(0), parts.rpIdHash, clientDataHash, parts.credentialId, point)
    const x5c = chainOf(changes, { key, subject: name([CN, 'U2F']) })
    return statement({ sig: key.sign(data), x5c, ...changes.members })
  }

export const u2fParts = (changes: Certified = {}): Partial<RegistrationParts> => ({
  format: 'fido-u2f',
  aaguid: new Uint8Array(16),
  statement: u2fStatement(changes),
})

export const APPLE_NONCE = '1.2.840.113635.100.8.2'

export const appleStatement =
  (changes: Certified & { readonly nonce?: Uint8Array } = {}) =>
  (signed: SignedParts): Cbor => {
    const value = changes.nonce ?? sequence(context(1, octets(sha256(signedBytes(signed)))))
    const extensions = [extension.constraints(false), { id: APPLE_NONCE, value }]
    const x5c = chainOf(changes, { key: signed.key, subject: name([CN, 'Apple']), extensions })
    return statement({ x5c, ...changes.members })
  }

export const ANDROID_KEY = '1.3.6.1.4.1.11129.2.1.17'

export type AndroidChanges = Certified & {
  readonly challenge?: Uint8Array
  readonly software?: Uint8Array
  readonly tee?: Uint8Array
  readonly description?: Uint8Array
}

export const androidPurpose = (...purposes: readonly number[]): Bytes => context(1, set(...purposes.map(integer)))
export const androidOrigin = (origin: number): Bytes => tlv(HIGH + 702, integer(origin))
export const androidAllApplications: Bytes = tlv(HIGH + 600, tlv(0x05))

export const androidKeyStatement =
  (changes: AndroidChanges = {}) =>
  (signed: SignedParts): Cbor => {
    const description =
      changes.description ??
      sequence(
        integer(300),
        enumerated(1),
        integer(300),
        enumerated(1),
        octets(changes.challenge ?? signed.clientDataHash),
        octets(new Uint8Array()),
        changes.software ?? sequence(),
        changes.tee ?? sequence(androidPurpose(2), androidOrigin(0)),
      )
    const extensions = [extension.constraints(false), { id: ANDROID_KEY, value: description }]
    return statement({
      alg: signed.key.algorithm,
      sig: signed.key.sign(signedBytes(signed)),
      x5c: chainOf(changes, { key: signed.key, subject: name([CN, 'Android']), extensions }),
      ...changes.members,
    })
  }

export const TPM_MANUFACTURER = '2.23.133.2.1'
export const TPM_MODEL = '2.23.133.2.2'
export const TPM_VERSION = '2.23.133.2.3'

export const tpmAlternativeName = (...pairs: readonly (readonly [string, string])[]): Uint8Array =>
  sequence(context(4, sequence(...pairs.map(([type, value]) => set(sequence(oid(type), text(value)))))))

export const TPM_NAMES = [
  [TPM_MANUFACTURER, 'id:FFFFF1D0'],
  [TPM_MODEL, 'Handset TPM'],
  [TPM_VERSION, 'id:00000001'],
] as const

const SAN = '2.5.29.17'
const EKU = '2.5.29.37'

export const tpmExtensions = (changes: { san?: Uint8Array; purpose?: string } = {}) => [
  extension.constraints(false),
  { id: SAN, critical: true, value: changes.san ?? tpmAlternativeName(...TPM_NAMES) },
  { id: EKU, value: sequence(oid(changes.purpose ?? '2.23.133.8.3')) },
]

export type TpmChanges = Certified & {
  readonly pubArea?: (good: Bytes) => Uint8Array
  readonly magic?: number
  readonly type?: number
  readonly extraData?: Uint8Array
  readonly name?: (good: Bytes) => Uint8Array
  readonly afterCertInfo?: Uint8Array
  readonly nameAlgorithm?: number
}

const sized = (value: Uint8Array): Bytes => concat(uint16(value.length), value)

const TPM_HASH: Readonly<Record<number, string>> = { 4: 'sha1', 11: 'sha256', 12: 'sha384', 13: 'sha512' }

/** TPMT_PUBLIC of a credential key: ECC on a NIST curve, or RSA with the default exponent. */
export const tpmPublicArea = (key: TestKey, nameAlgorithm = 11): Bytes => {
  const isRsa = key.cose.pairs[0]?.[1] === 3
  const head = concat(uint16(isRsa ? 1 : 0x23), uint16(nameAlgorithm), uint32(0x00060472), sized(new Uint8Array()))
  if (isRsa) {
    const n = coseBytes(key.cose, -1)
    return concat(head, uint16(0x10), uint16(0x10), uint16(n.length * 8), uint32(0), sized(n))
  }
  const curve = { 1: 3, 2: 4, 3: 5 }[Number(key.cose.pairs[2]?.[1])] ?? 0
  const point = [coseBytes(key.cose, -2), coseBytes(key.cose, -3)]
  return concat(head, uint16(0x10), uint16(0x10), uint16(curve), uint16(0x10), ...point.map(sized))
}

export const tpmStatement =
  (changes: TpmChanges = {}) =>
  (signed: SignedParts): Cbor => {
    const aik = changes.attestationKey ?? attestationKey()
    const nameAlgorithm = changes.nameAlgorithm ?? 11
    const good = tpmPublicArea(signed.key, nameAlgorithm)
    const pubArea = changes.pubArea ? changes.pubArea(good) : good
    const hash = createHash(TPM_HASH[nameAlgorithm] ?? 'sha256')
      .update(pubArea)
      .digest()
    const tpmName = concat(uint16(nameAlgorithm), hash)
    const certInfo = concat(
      uint32(changes.magic ?? 0xff544347),
      uint16(changes.type ?? 0x8017),
      sized(new Uint8Array()),
      sized(changes.extraData ?? sha256(signedBytes(signed))),
      new Uint8Array(17),
      new Uint8Array(8),
      sized(changes.name ? changes.name(tpmName) : tpmName),
      sized(new Uint8Array()),
      changes.afterCertInfo ?? new Uint8Array(),
    )
    return statement({
      alg: aik.algorithm,
      sig: aik.sign(certInfo),
      ver: '2.0',
      x5c: chainOf(changes, { key: aik, subject: name(), extensions: tpmExtensions() }),
      pubArea,
      certInfo,
      ...changes.members,
    })
  }

export type SafetyNetChanges = Certified & {
  readonly payload?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly jws?: (good: string) => string
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export const safetyNetStatement =
  (changes: SafetyNetChanges = {}) =>
  (signed: SignedParts): Cbor => {
    const key = attestationKey(-257)
    const subject = name([CN, 'attest.android.com'], [O, 'Google'], [C, 'US'])
    const header = { alg: 'RS256', x5c: chainOf(changes, { key, subject }).map(base64), ...changes.header }
    const nonce = base64(sha256(signedBytes(signed)))
    const payload = { nonce, timestampMs: NOW - 1000, ctsProfileMatch: true, basicIntegrity: true, ...changes.payload }
    const text2 = [header, payload].map((part) => toBase64url(utf8(JSON.stringify(part)))).join('.')
    const jws = `${text2}.${toBase64url(key.sign(utf8(text2)))}`
    return statement({ ver: '14799021', response: utf8(changes.jws ? changes.jws(jws) : jws), ...changes.members })
  }
