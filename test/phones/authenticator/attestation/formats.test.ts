import { createHash, X509Certificate } from 'node:crypto'
import { SettingsService } from '@simplewebauthn/server'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { concat } from '../../../../src-main/core/protocol/bytes.ts'
import type {
  AuthenticationResponseJson,
  RegistrationResponseJson,
} from '../../../../src-main/core/protocol/webauthn-json.ts'
import { ALGORITHMS, type AlgorithmName, algorithmNamed } from '../../../../src-main/phones/authenticator/algorithms.ts'
import { getAssertion } from '../../../../src-main/phones/authenticator/get-assertion.ts'
import { ATTESTATION_FORMATS, makeCredential } from '../../../../src-main/phones/authenticator/make-credential.ts'
import { type AttestationKind, MODELS } from '../../../../src-main/phones/authenticator/models.ts'
import {
  goodAssertion,
  goodCreation,
  goodCreationOptions,
  goodPorts,
  must,
  NOW,
  rootsAsPem,
} from '../support/requests.ts'
import { octets, witnessAuthentication, witnessRegistration } from '../support/simplewebauthn.ts'
import { attestationOf, chainOf, statementsOf } from '../support/statement.ts'
import { verifySignature } from '../support/verify-signature.ts'

const kinds = Object.keys(ATTESTATION_FORMATS) as AttestationKind[]
const names = Object.keys(ALGORITHMS) as AlgorithmName[]
const pairs = kinds.flatMap((kind) =>
  names.filter((name) => ATTESTATION_FORMATS[kind].supports(algorithmNamed(name))).map((name) => [kind, name] as const),
)

/** What the library does not know of, P-521 in a certificate among it: these are checked with node:crypto alone. */
const unknownToWitness = (kind: AttestationKind, name: AlgorithmName): boolean =>
  name === 'ES256K' || name === 'Ed448' || ((kind === 'android-key' || kind === 'compound') && name === 'ES512')

const creation = (kind: AttestationKind, name: AlgorithmName) =>
  goodCreation({
    model: { ...MODELS['granite-one'], algorithms: [name], attestation: kind, aaguid: aaguidFor(kind) },
    options: { ...goodCreationOptions, pubKeyCredParams: [{ type: 'public-key', alg: ALGORITHMS[name].cose }] },
  })

const aaguidFor = (kind: AttestationKind) =>
  kind === 'fido-u2f' ? MODELS['token-u2f'].aaguid : MODELS['granite-one'].aaguid

beforeAll(async () => {
  // The library reads the wall clock for SafetyNet and for certificates.
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  const roots = rootsAsPem((await goodPorts()).attestationKeys)
  for (const [identifier, pem] of Object.entries(roots)) {
    SettingsService.setRootCertificates({ identifier: identifier as 'packed', certificates: [pem] })
  }
})

describe.each(pairs)('%s attestation with %s', (kind, name) => {
  it('is accepted, and so is the assertion that follows', async () => {
    const ports = await goodPorts()
    const made = must(await makeCredential(creation(kind, name), ports))
    const assertion = must(await getAssertion(goodAssertion([made.credential]), ports))
    expect(signatureHolds(made.response.response.publicKey ?? '', name, assertion.response)).toBe(true)
    const statements = statementsOf(made.response)
    if (unknownToWitness(kind, name)) {
      expect(statements.map((each) => attestationHolds(each, name))).toEqual(statements.map(() => true))
      return
    }
    const registrations = await Promise.all(
      statements.map((each) => witnessRegistration(each, { algorithms: [ALGORITHMS[name].cose] })),
    )
    expect(registrations.map(({ verified }) => verified)).toEqual(statements.map(() => true))
    const [registration] = registrations
    const known = kind === 'compound' ? 'packed' : ATTESTATION_FORMATS[kind].fmt
    expect(registration?.registrationInfo?.fmt).toBe(known)
    const publicKey = registration?.registrationInfo?.credential.publicKey ?? new Uint8Array(0)
    const verdict = await witnessAuthentication(assertion.response, {
      credential: made.credential,
      publicKey,
      counter: 0,
    })
    expect(verdict.verified).toBe(true)
  })
})

const signatureHolds = (publicKey: string, name: AlgorithmName, answer: AuthenticationResponseJson): boolean => {
  const { authenticatorData, clientDataJSON, signature } = answer.response
  const hash = createHash('sha256').update(octets(clientDataJSON)).digest()
  return verifySignature({
    algorithm: algorithmNamed(name),
    publicKey: octets(publicKey),
    data: concat(octets(authenticatorData), hash),
    signature: octets(signature),
  })
}

/** Packed (self or not), android-key and the formats without a signature, which then have nothing to hold. */
const attestationHolds = (answer: RegistrationResponseJson, name: AlgorithmName): boolean => {
  const { fmt, attStmt, authData } = attestationOf(answer)
  const signature = attStmt.get('sig')
  if (signature === undefined) return fmt === 'none' || fmt === 'android-safetynet'
  const [leaf] = chainOf(answer)
  const publicKey = octets(answer.response.publicKey ?? '')
  const signer = leaf === undefined ? publicKey : spkiOf(leaf)
  const hash = createHash('sha256').update(octets(answer.response.clientDataJSON)).digest()
  const algorithm = leaf === undefined || fmt === 'android-key' ? algorithmNamed(name) : algorithmNamed('ES256')
  return verifySignature({ algorithm, publicKey: signer, data: concat(authData, hash), signature })
}

const spkiOf = (certificate: Uint8Array): Uint8Array =>
  new X509Certificate(certificate).publicKey.export({ format: 'der', type: 'spki' })

it('certificates of a model are the same for every phone of it', async () => {
  const first = must(await makeCredential(creation('packed', 'ES256'), await goodPorts('one')))
  const second = must(await makeCredential(creation('packed', 'ES256'), await goodPorts('two')))
  expect(chainOf(first.response)).toEqual(chainOf(second.response))
})
