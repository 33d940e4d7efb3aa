import { expect, it } from 'vitest'
import { decodeAttestationObject } from '../../../../src-main/core/judge/attestation-object.ts'
import { type CborMap, findEntry } from '../../../../src-main/core/judge/cbor.ts'
import { type Certificate, decodeCertificate, EXTENSION } from '../../../../src-main/core/judge/certificate.ts'
import { type DerNode, decodeDer, sequenceItems, TAG } from '../../../../src-main/core/judge/der.ts'
import { createByteReader } from '../../../../src-main/core/judge/tpm.ts'
import { type Bytes, toHex } from '../../../../src-main/core/protocol/bytes.ts'
import { makeCredential } from '../../../../src-main/phones/authenticator/make-credential.ts'
import { MODELS, type ModelName } from '../../../../src-main/phones/authenticator/models.ts'
import { genuineStatements } from '../../../support/ceremony/genuine.ts'
import { goodCreation, goodCreationOptions, goodPorts, must } from '../support/requests.ts'
import { octets } from '../support/simplewebauthn.ts'

/** What a statement is made of, without what differs from one statement to the next. */
const statementOf = (attestationObject: string): CborMap => {
  const statement = decodeAttestationObject(octets(attestationObject), ['non-canonical-cbor']).value?.statement
  if (statement === undefined) throw new Error('no statement')
  return statement
}

const genuine = (name: string): CborMap => {
  const statement = genuineStatements.find((candidate) => candidate.name === name)
  return statementOf(statement?.attestation_object ?? '')
}

const ours = async (name: ModelName, alg = -7): Promise<CborMap> => {
  const options = { ...goodCreationOptions, pubKeyCredParams: [{ type: 'public-key', alg }] } as const
  const made = must(await makeCredential(goodCreation({ model: MODELS[name], options }), await goodPorts()))
  return statementOf(made.response.response.attestationObject)
}

const bytesOf = (statement: CborMap, name: string): Bytes => {
  const item = findEntry(statement, name)
  if (item?.type !== 'bytes') throw new Error(`no ${name}`)
  return item.value
}

const certificatesOf = (statement: CborMap): readonly Certificate[] => {
  const x5c = findEntry(statement, 'x5c')
  return (x5c?.type === 'array' ? x5c.items : []).flatMap((item) => {
    const certificate = item.type === 'bytes' ? decodeCertificate(item.value) : undefined
    return certificate?.ok ? [certificate.value] : []
  })
}

const extensionsOf = (certificate: Certificate | undefined) =>
  Object.fromEntries([...(certificate?.extensions ?? [])].map(([id, { critical }]) => [id, critical]))

const certInfoShape = (bytes: Bytes) => {
  const reader = createByteReader(bytes)
  const head = [reader.uint32(), reader.uint16()]
  const [qualifiedSigner, extraData] = [reader.sized(), reader.sized()]
  const safe = reader.take(17)?.at(-1)
  const firmwareIsKnown = reader.take(8)?.some((octet) => octet !== 0)
  const [name, qualifiedName] = [reader.sized(), reader.sized()]
  const kinds = [qualifiedSigner, name, qualifiedName].map((one) => [
    toHex(one?.subarray(0, 2) ?? new Uint8Array()),
    one?.length,
  ])
  return { head, kinds, extraData: extraData?.length, safe, firmwareIsKnown, rest: reader.rest }
}

const pubAreaShape = (bytes: Bytes) => {
  const reader = createByteReader(bytes)
  const head = [reader.uint16(), reader.uint16(), reader.uint32()]
  const policy = toHex(reader.sized() ?? new Uint8Array())
  return { head, policy, parameters: toHex(reader.take(8) ?? new Uint8Array()), length: bytes.length }
}

const pairs = [
  ['tpm-nuvoton-ecc-2022', -7],
  ['tpm-nuvoton-edge-2018', -257],
] as const

it.each(pairs)('a TPM of ours writes as one under Windows: %s, a credential of algorithm %i', async (name, alg) => {
  const [theirs, own] = [genuine(name), await ours('slate-tpm', alg)]
  const [leaf] = certificatesOf(own)
  const [theirLeaf] = certificatesOf(theirs)
  expect(findEntry(own, 'alg')).toMatchObject({ value: -65535 })
  expect(findEntry(theirs, 'alg')).toMatchObject({ value: -65535 })
  expect(certInfoShape(bytesOf(own, 'certInfo'))).toEqual(certInfoShape(bytesOf(theirs, 'certInfo')))
  expect(pubAreaShape(bytesOf(own, 'pubArea'))).toEqual(pubAreaShape(bytesOf(theirs, 'pubArea')))
  expect(extensionsOf(leaf)).toEqual(extensionsOf(theirLeaf))
  for (const id of [EXTENSION.certificatePolicies, EXTENSION.extendedKeyUsage]) {
    expect(leaf?.extensions.get(id)).toEqual(theirLeaf?.extensions.get(id))
  }
})

// The intermediates of 2018 did not yet mark their key usage as critical.
it('a TPM of ours writes what a genuine one under Windows writes: and its intermediate has the extensions of one of 2022', async () => {
  const [, issuer] = certificatesOf(await ours('slate-tpm'))
  const [, theirIssuer] = certificatesOf(genuine('tpm-nuvoton-ecc-2022'))
  // Where to find a revocation list and the issuer's own issuer: addresses that our makers do not have.
  const {
    [EXTENSION.crlDistributionPoints]: _,
    [EXTENSION.authorityInformation]: __,
    ...rest
  } = extensionsOf(theirIssuer)
  expect(extensionsOf(issuer)).toEqual(rest)
  expect(issuer?.extensions.get(EXTENSION.basicConstraints)).toEqual(
    theirIssuer?.extensions.get(EXTENSION.basicConstraints),
  )
})

/** The tags of both authorization lists of an Android key, software first. */
const authorizationTags = (statement: CborMap) => {
  const [leaf] = certificatesOf(statement)
  const der = decodeDer(leaf?.extensions.get(EXTENSION.androidKey)?.value ?? new Uint8Array())
  const fields = der.ok ? sequenceItems(der.value) : undefined
  const tags = (node: DerNode | undefined) => sequenceItems(node)?.map(({ tag }) => tag)
  return { software: tags(fields?.[6]), hardware: tags(fields?.[7]), level: fields?.[1]?.content[0] }
}

it('an Android key of ours is described as a genuine one is: in the trusted environment', async () => {
  expect(authorizationTags(await ours('droid-keystore'))).toEqual(
    authorizationTags(genuine('android-key-remote-provisioned-2025')),
  )
})

it('an Android key of ours is described as a genuine one is: in StrongBox, where only the level differs', async () => {
  const { level, ...lists } = authorizationTags(genuine('android-key-remote-provisioned-2025'))
  expect(authorizationTags(await ours('droid-strongbox'))).toEqual({ ...lists, level: 2 })
})

it('an Android key of ours is described as a genuine one is: in software, where the hardware enforces nothing', async () => {
  const own = authorizationTags(await ours('droid-software'))
  expect(own).toMatchObject({ hardware: [], level: 0 })
  expect(own.software).toContain(702)
})

const members = (statement: CborMap) => statement.entries.map(({ key }) => (key.type === 'text' ? key.value : key.type))

it.each([
  ['orchard-key', 'apple-2022'],
  ['orchard-2020', 'apple-alg-2020-10'],
] as const)('an Apple statement of ours has the members of a genuine one: %s as %s', async (model, name) => {
  expect(members(await ours(model))).toEqual(members(genuine(name)))
})

it('a U2F token of ours has a certificate like that of a YubiKey: signed with RSA, and without NULL parameters', async () => {
  const identifier = (statement: CborMap) =>
    toHex(certificatesOf(statement)[0]?.signatureAlgorithm.bytes ?? new Uint8Array())
  expect(identifier(await ours('token-u2f'))).toBe(identifier(genuine('u2f-yubikey-edge')))
})

it('a packed statement of ours can come without the model in its certificate and with the root in its chain', async () => {
  const chain = certificatesOf(await ours('granite-plain'))
  const [leaf, , root] = chain
  expect(chain).toHaveLength(3)
  expect(leaf?.extensions.has(EXTENSION.fidoAaguid)).toBe(false)
  expect(root?.subject).toEqual(root?.issuer)
})

it('a packed statement of ours names its model like that of a Feitian key: the AAGUID in an OCTET STRING of its own', async () => {
  const tagOf = (statement: CborMap) => {
    const extension = certificatesOf(statement)[0]?.extensions.get(EXTENSION.fidoAaguid)
    return { critical: extension?.critical, tag: extension?.value[0], length: extension?.value.length }
  }
  expect(tagOf(await ours('granite-one'))).toEqual(tagOf(genuine('packed-feitian-biopass')))
  expect(tagOf(genuine('packed-feitian-biopass')).tag).toBe(TAG.octetString)
})
