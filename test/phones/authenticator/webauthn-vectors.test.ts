import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Bytes, concat, fromHex, toBase64url, toHex } from '../../../src-main/core/protocol/bytes.ts'
import { type AlgorithmName, algorithmNamed } from '../../../src-main/phones/authenticator/algorithms.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  issueCertificate,
  keyUsage,
  type Name,
  subjectKeyIdentifier,
} from '../../../src-main/phones/authenticator/attestation/attestation-authority.ts'
import { tpmAlternativeName } from '../../../src-main/phones/authenticator/attestation/formats/tpm.ts'
import { getAssertion } from '../../../src-main/phones/authenticator/get-assertion.ts'
import { makeCredential } from '../../../src-main/phones/authenticator/make-credential.ts'
import { type AttestationKind, MODELS } from '../../../src-main/phones/authenticator/models.ts'
import { makeEcKey, publicKeyDer } from '../../../src-main/phones/authenticator/private-key.ts'
import type { Seams } from '../../../src-main/phones/authenticator/seams.ts'
import { goodPorts, holding, must } from './support/requests.ts'
import { scriptedRandom, seededRandom } from './support/seeded-random.ts'
import { octets } from './support/simplewebauthn.ts'

/** W3C WebAuthn Level 3, Test Vectors. Their ECDSA signatures are RFC 6979's, so whole structures can be compared. */
type Half = Readonly<Record<string, string>>
type Vector = { readonly registration: Half; readonly authentication: Half; readonly values: Half }

const file = new URL('../../vectors/webauthn-l3/webauthn-l3-vectors.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Vector>>
const hex = (text: string | undefined): Bytes => must(fromHex(text ?? ''))
const vector = (name: string): Vector =>
  vectors[`sctn-test-vectors-${name}`] ?? { registration: {}, authentication: {}, values: {} }

// All that have a private key; RS256 comes without one.
const CASES: Readonly<Record<string, readonly [AlgorithmName, AttestationKind]>> = {
  'none-es256': ['ES256', 'none'],
  'packed-self-es256': ['ES256', 'self'],
  'none-es256-crossOrigin': ['ES256', 'none'],
  'none-es256-topOrigin': ['ES256', 'none'],
  'none-es256-long-credential-id': ['ES256', 'none'],
  'packed-es256': ['ES256', 'packed'],
  'packed-es384': ['ES384', 'packed'],
  'packed-es512': ['ES512', 'packed'],
  'packed-eddsa': ['Ed25519', 'packed'],
  'packed-ed448': ['Ed448', 'packed'],
  'tpm-es256': ['ES256', 'tpm'],
  'android-key-es256': ['ES256', 'android-key'],
  'apple-es256': ['ES256', 'apple'],
  'fido-u2f-es256': ['ES256', 'fido-u2f'],
}

const ES256 = algorithmNamed('ES256')
const name = (unit: string): Name => [
  ['CN', 'WebAuthn test vectors'],
  ['O', 'W3C'],
  ['OU', unit],
  ['C', 'AA'],
]
const VALIDITY = { notBefore: Date.UTC(2024, 0, 1), notAfter: Date.UTC(3024, 0, 1) }
const ROOT = vector('attestation-root-cert').values
const rootKey = makeEcKey(ES256, scriptedRandom([hex(ROOT.attestation_ca_key)]))
const uuid = (text: string): string => text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The AAGUID, the policies and the issuer's address, which certificates may go without. */
const LEFT_OUT: ReadonlySet<string> = new Set(['1.3.6.1.4.1.45724.1.1.4', '2.5.29.32', '1.3.6.1.5.5.7.1.1'])

/** What the vectors' authors chose freely: extra client data, flags, the leaf's key, serial number and names. */
const choices = (kind: AttestationKind, half: Half, flags: number): Seams => ({
  clientData: (draft) =>
    half.extraData_random === undefined
      ? draft
      : {
          ...draft,
          extraData: `clientDataJSON may be extended with additional fields in the future, such as this: ${toBase64url(hex(half.extraData_random))}`,
        },
  authenticatorData: (draft) => ({ ...draft, flags }),
  attestationCertificate: ({ draft }, { credential }) => {
    const { attestation_private_key: given } = half
    const key = given === undefined ? credential.privateKey : makeEcKey(ES256, scriptedRandom([hex(given)]))
    return {
      draft: {
        ...draft,
        ...VALIDITY,
        serialNumber: hex(half.attestation_cert_serial_number),
        issuer: name('Authenticator Attestation CA'),
        subject: kind === 'tpm' ? [] : name('Authenticator Attestation'),
        publicKey: publicKeyDer(key),
        extensions: [
          ...draft.extensions.slice(0, 2),
          subjectKeyIdentifier(key),
          authorityKeyIdentifier(rootKey),
          ...draft.extensions
            .slice(4)
            .filter(({ oid }) => !LEFT_OUT.has(oid))
            .map((extension) =>
              extension.oid === '2.5.29.17'
                ? tpmAlternativeName({
                    manufacturer: 'id:00000000',
                    model: 'WebAuthn test vectors',
                    version: 'id:00000000',
                  })
                : extension,
            ),
        ],
      },
      issuerKey: rootKey,
    }
  },
  attestationChain: ([leaf]) => (leaf === undefined ? [] : [leaf]),
  attestationSigning: (draft) =>
    half.attestation_private_key === undefined
      ? draft
      : { ...draft, privateKey: makeEcKey(ES256, scriptedRandom([hex(half.attestation_private_key)])) },
  tpmPublicArea: (draft) => ({ ...draft, objectAttributes: 0x00040000, authPolicy: new Uint8Array(0) }),
  tpmCertInfo: (draft) => ({
    ...draft,
    qualifiedSigner: new Uint8Array(0),
    clockInfo: concat(new Uint8Array(8), hex('111111112222222233')),
    firmwareVersion: new Uint8Array(8),
    qualifiedName: new Uint8Array(0),
  }),
  androidKeyDescription: (draft) => ({
    ...draft,
    attestationVersion: 300,
    attestationSecurityLevel: 0,
    keymasterVersion: 0,
    keymasterSecurityLevel: 0,
    softwareEnforced: {},
    teeEnforced: {},
  }),
})

const page = (of: string) => ({
  origin: 'https://example.org',
  ...(of.endsWith('Origin') ? { crossOrigin: true } : {}),
  ...(of.endsWith('topOrigin') ? { topOrigin: 'https://example.com' } : {}),
})

const FLAGS_OFFSET = 32

const register = async (of: string) => {
  const [algorithm, kind] = CASES[of] ?? ['ES256', 'none']
  const half = vector(of).registration
  const key = hex(half.credential_private_key ?? half.private_key)
  const id = hex(half.credential_id)
  // Two P-521 scalars of the vectors are a leading zero octet short.
  const scalar = algorithm === 'ES512' ? concat(new Uint8Array(66 - key.length), key) : key
  const object = hex(half.attestationObject)
  const flags = object[toHex(object).indexOf(RP_ID_HASH) / 2 + FLAGS_OFFSET] ?? 0
  const random = seededRandom('serial numbers')
  const script = [scalar, id]
  const ports = {
    ...(await goodPorts()),
    random: { repeatable: true, bytes: (count: number) => script.shift() ?? random.bytes(count) },
  }
  const options = {
    rp: { id: 'example.org', name: '' },
    user: { id: 'AA', name: '', displayName: '' },
    challenge: toBase64url(hex(half.challenge)),
    pubKeyCredParams: [],
    attestation: 'direct',
    authenticatorSelection: { residentKey: 'required' },
  } as const
  const model = {
    ...MODELS['granite-one'],
    algorithms: [algorithm],
    attestation: kind,
    aaguid: uuid(half.aaguid ?? ''),
    credentialIdLength: id.length,
  } as const
  const made = await makeCredential(
    {
      ...page(of),
      options: { ...options, pubKeyCredParams: [{ type: 'public-key', alg: algorithmNamed(algorithm).cose }] },
      model,
      storage: 'chip',
      userVerified: true,
      existing: holding(),
      seams: choices(kind, half, flags),
    },
    ports,
  )
  return must(made)
}

const RP_ID_HASH = 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5'

describe('the vectors of WebAuthn Level 3', () => {
  it('have the same root certificate as one that is issued here', () => {
    const certificate = issueCertificate(
      {
        version: 3,
        serialNumber: hex(ROOT.attestation_ca_serial_number),
        issuer: name('Authenticator Attestation CA'),
        subject: name('Authenticator Attestation CA'),
        ...VALIDITY,
        publicKey: publicKeyDer(rootKey),
        extensions: [basicConstraints(true), keyUsage('certificates'), subjectKeyIdentifier(rootKey)],
      },
      rootKey,
    )
    expect(toHex(certificate)).toBe(ROOT.attestation_ca_cert)
  })

  it.each(Object.keys(CASES))('have the same registration, byte for byte: %s', async (of) => {
    const { registration } = vector(of)
    const { response } = (await register(of)).response
    expect(toHex(octets(response.clientDataJSON))).toBe(registration.clientDataJSON)
    expect(toHex(octets(response.attestationObject))).toBe(registration.attestationObject)
  })

  it.each(Object.keys(CASES))('have the same authentication, byte for byte: %s', async (of) => {
    const { authentication } = vector(of)
    const { credential } = await register(of)
    const flags = hex(authentication.authenticatorData)[FLAGS_OFFSET] ?? 0
    const assertion = await getAssertion(
      {
        ...page(of),
        options: { challenge: toBase64url(hex(authentication.challenge)), rpId: 'example.org' },
        userVerified: true,
        credentials: holding({ ...credential, counter: 'zero' }),
        seams: choices('none', authentication, flags),
      },
      await goodPorts(),
    )
    const { response } = must(assertion).response
    expect(toHex(octets(response.clientDataJSON))).toBe(authentication.clientDataJSON)
    expect(toHex(octets(response.authenticatorData))).toBe(authentication.authenticatorData)
    expect(toHex(octets(response.signature))).toBe(authentication.signature)
  })
})
