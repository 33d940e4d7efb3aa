import { expect, it } from 'vitest'
import type { Verdict } from '../../../src-main/core/judge/verdict.ts'
import type { Bytes } from '../../../src-main/core/protocol/bytes.ts'
import {
  ATTESTATION_NAME,
  type CertificateParts,
  CN,
  certificate,
  extension,
  INTERMEDIATE_NAME,
  intermediateCertificate,
  intermediateKey,
  name,
  rootCertificate,
  rootKey,
  type TestExtension,
  VALID_TO,
} from '../../support/ceremony/certificates.ts'
import { context, integer, nothing, oid, sequence } from '../../support/ceremony/der.ts'
import { testKey } from '../../support/ceremony/keys.ts'
import { NOW, registration } from '../../support/ceremony/registration.ts'
import { packedStatement } from '../../support/ceremony/statements.ts'
import { expectRefusal, judgedRegistration, type Refusals, refusalsOf } from '../../support/ceremony/verdicts.ts'

const leafOf = (changes: Partial<CertificateParts> = {}): Bytes =>
  certificate({ issuer: INTERMEDIATE_NAME, signer: intermediateKey(), ...changes })

const judged = (
  chain: readonly Uint8Array[],
  changes: { roots?: readonly Bytes[]; now?: number; any?: boolean } = {},
) =>
  judgedRegistration(
    registration({
      statement: packedStatement({ chain }),
      case: {
        roots: changes.roots ?? [rootCertificate()],
        attestation: changes.any ? 'accept-any' : 'require-trusted',
        now: changes.now ?? NOW,
      },
    }),
  )

type Refused = { readonly chain: () => readonly Uint8Array[]; readonly roots?: readonly Bytes[]; readonly now?: number }

const DAY = 86_400_000

const leaf = (changes?: Partial<CertificateParts>): Refused => ({
  chain: () => [leafOf(changes), intermediateCertificate()],
})
const leafWith = (...extensions: readonly TestExtension[]) =>
  leafOf({ extensions: [extension.constraints(false), ...extensions] })
const intermediateWith = (...extensions: readonly TestExtension[]) =>
  intermediateCertificate({ extensions: [extension.constraints(true), ...extensions] })
const under = (issuer: () => Uint8Array): Refused => ({ chain: () => [leafOf(), issuer()] })
const { authorityKeyIdentifier, subjectKeyIdentifier } = extension

/** Those that no fault of a phone has: each fault is judged in test/phones/authenticator/faults. */
const refusals: Refusals<Refused> = {
  'attestation_certificate_expired: all of it expired by the workspace’s clock': { ...leaf(), now: VALID_TO + 1000 },
  'attestation_certificate_critical_extension: an unknown critical extension': {
    chain: () => [leafWith({ id: '1.2.3.4', critical: true, value: new Uint8Array(2) }), intermediateCertificate()],
  },
  'attestation_certificate_extension_malformed: an extension that cannot be read': {
    chain: () => [leafWith({ id: '2.5.29.37', value: Uint8Array.of(0x30, 1, 0) }), intermediateCertificate()],
  },
  'attestation_chain_signature_invalid: the wrong form': leaf({ signature: () => new Uint8Array(64) }),
  'attestation_chain_signature_invalid: a root that did not sign itself': {
    chain: () => [leafOf(), intermediateCertificate(), rootCertificate({ signer: testKey(-7, 'other') })],
  },
  'attestation_issuer_not_ca: no basic constraints': under(() => intermediateCertificate({ extensions: [] })),
  'attestation_certificate_key_unsupported: an unknown key': under(() =>
    intermediateCertificate({ spki: rootCertificate() }),
  ),
  'attestation_certificate_algorithm_unsupported: an unknown signature algorithm': {
    chain: () => [
      certificate({ issuer: INTERMEDIATE_NAME, signer: testKey(-48, 'ca') }),
      intermediateCertificate({ key: testKey(-48, 'ca') }),
    ],
  },
  'attestation_chain_key_identifier_mismatch: key identifiers that differ': {
    chain: () => [
      leafWith(authorityKeyIdentifier(Uint8Array.of(1))),
      intermediateWith(subjectKeyIdentifier(Uint8Array.of(2))),
    ],
  },
  'attestation_root_expired: a root that has expired': { ...leaf(), roots: [rootCertificate({ notAfter: NOW - DAY })] },
  'attestation_root_not_yet_valid: a root that is not valid yet': {
    ...leaf(),
    roots: [rootCertificate({ notBefore: NOW + DAY })],
  },
}

it.each(refusalsOf(refusals, '7.1.24'))('a chain is refused for %s', async (_, { chain, ...changes }, refusal) => {
  expectRefusal(await judged(chain(), changes), refusal)
})

it('a chain is refused for a path that is longer than a CA allows', async () => {
  const second = testKey(-7, 'second intermediate')
  const secondName = name([CN, 'Second'])
  const ca = [extension.constraints(true), extension.keyUsage(0x04)]
  const chain = [
    certificate({ issuer: secondName, signer: second }),
    certificate({
      subject: secondName,
      key: second,
      issuer: INTERMEDIATE_NAME,
      signer: intermediateKey(),
      extensions: ca,
    }),
    intermediateCertificate(),
  ]
  expectRefusal(await judged(chain), { word: 'attestation_chain_too_long', step: '7.1.24' })
})

const ANY_POLICY = '2.5.29.32.0'
const { policies, requireExplicitPolicy, inhibitAnyPolicy } = extension

type Extensions = readonly TestExtension[]

const demanded = [policies('1.2.3'), requireExplicitPolicy(0)]
const chainOf = (leaf: Extensions, issuer: Extensions) => judged([leafWith(...leaf), intermediateWith(...issuer)])

it.each<[string, Extensions, Extensions]>([
  ['critical in the leaf alone', [policies('1.2.3')], []],
  ['that differ while none is demanded', [policies('1.2.3')], [policies('1.2.4')]],
  ['that are demanded and there all the way', [policies('1.2.3', '1.2.9')], demanded],
  ['that are demanded under anyPolicy', [policies('1.2.3')], [policies(ANY_POLICY), requireExplicitPolicy(0)]],
  ['that are demanded further down than there are any', [], [policies('1.2.3'), requireExplicitPolicy(2)]],
])('certificate policies are accepted when they are %s', async (_, leaf, issuer) => {
  expect((await chainOf(leaf, issuer)).failure).toBeUndefined()
})

it.each<[string, Extensions, Extensions]>([
  ['demanded and missing in the leaf', [], [policies('1.2.3'), requireExplicitPolicy(1)]],
  ['demanded and others in the leaf', [policies('1.2.4')], demanded],
  ['demanded by the leaf itself, which has none', [requireExplicitPolicy(0)], []],
  ['anyPolicy where that no longer counts', [policies(ANY_POLICY)], [...demanded, inhibitAnyPolicy(0)]],
])('certificate policies are refused when they are %s', async (_, leaf, issuer) => {
  const verdict = await chainOf(leaf, issuer)
  expectRefusal(verdict, { word: 'attestation_certificate_policy_missing', step: '7.1.24' })
})

it.each([
  ['a policy twice', policies('1.2.3', '1.2.3')],
  ['no policy at all', policies()],
  ['constraints that say nothing', { ...requireExplicitPolicy(0), value: Uint8Array.of(0x30, 0) }],
  ['a count below zero', { ...inhibitAnyPolicy(0), value: Uint8Array.of(2, 1, 0xff) }],
])('certificate policies are refused as malformed with %s', async (_, broken) => {
  const verdict = await judged([leafWith(broken), intermediateCertificate()])
  expectRefusal(verdict, { word: 'attestation_certificate_extension_malformed', step: '7.1.24' })
})

it('certificate policies mapped into others by a critical extension are refused, since nothing here follows mappings', async () => {
  const mappings = { id: '2.5.29.33', critical: true, value: Uint8Array.of(0x30, 0) }
  const verdict = await judged([leafOf(), intermediateWith(mappings)])
  expectRefusal(verdict, { word: 'attestation_certificate_critical_extension', step: '7.1.24' })
})

/** The codes below the refusal: what each root was found wanting for. */
const reasonsOf = (verdict: Verdict<unknown>): readonly (string | undefined)[] =>
  (verdict.steps.find(({ id }) => id === '7.1.24')?.checks ?? [])
    .filter(({ check, outcome }) => check === 'chain_reaches_root' && outcome === 'failed')
    .map(({ word }) => word)

const chain = () => [leafOf(), intermediateCertificate()]
const otherKey = testKey(-7, 'other')
const root = (changes: Parameters<typeof rootCertificate>[0]) => [rootCertificate(changes)]
const { constraints, keyUsage } = extension
const cases: Refusals<readonly Bytes[]> = {
  'attestation_roots_missing: there is no root': [],
  'attestation_root_unknown: its issuer is not among the roots': root({ subject: name([CN, 'Other']) }),
  'attestation_chain_signature_invalid: that root did not sign': root({ key: otherKey, signer: otherKey }),
  'attestation_chain_signature_invalid: its key is of another kind': root({
    ...{ key: testKey(-48, 'ca'), signer: rootKey() },
  }),
  'attestation_issuer_not_ca: the root is no authority': root({ extensions: [constraints(false)] }),
  'attestation_issuer_may_not_certify: it may not certify': root({ extensions: [constraints(true), keyUsage(0x80)] }),
  'attestation_chain_too_long: it allows no authority below it': root({ extensions: [constraints(true, 0)] }),
}

it.each(refusalsOf(cases, '7.1.24'))('an untrusted attestation says why: %s', async (_, roots, { word, step }) => {
  const verdict = await judged(chain(), { roots })
  expectRefusal(verdict, { word: 'attestation_untrusted', step })
  expect(reasonsOf(verdict)).toEqual(['attestation_untrusted', word])
})

it('an untrusted attestation names the reason: one for each root that came into question', async () => {
  const roots = [
    rootCertificate({ key: otherKey, signer: otherKey }),
    rootCertificate({ extensions: [extension.constraints(false)] }),
  ]
  expect(reasonsOf(await judged(chain(), { roots }))).toEqual([
    'attestation_untrusted',
    'attestation_chain_signature_invalid',
    'attestation_issuer_not_ca',
  ])
})

const expired = () => rootCertificate({ notAfter: NOW - DAY })

it('a root that comes along may have expired when the copy that is trusted is in force', async () => {
  const verdict = await judged([leafOf(), intermediateCertificate(), expired()])
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value?.trusted).toBe(true)
})

it('a root that comes along may have expired where any root is accepted', async () => {
  const verdict = await judged([leafOf(), intermediateCertificate(), expired()], { roots: [], any: true })
  expect(verdict.accepted).toBe(true)
})

it('a root that comes along is refused as expired when the trusted copy is the same', async () => {
  const root = expired()
  const verdict = await judged([leafOf(), intermediateCertificate(), root], { roots: [root] })
  expectRefusal(verdict, { word: 'attestation_root_expired', step: '7.1.24' })
})

it('a root that comes along may be one that another authority has signed as well', async () => {
  const other = testKey(-7, 'other')
  const crossSigned = rootCertificate({ issuer: name([CN, 'Other']), signer: other })
  expect((await judged([leafOf(), intermediateCertificate(), crossSigned])).value?.trusted).toBe(true)
})

const alone = () => [certificate({ issuer: ATTESTATION_NAME, signer: testKey(-7, 'other') })]

it('a certificate alone that names itself as its issuer, with a signature that is not its own, is an untrusted path, and no more, where trust is not asked for', async () => {
  const verdict = await judged(alone(), { any: true })
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ attestationType: 'basic', trusted: false })
})

it('a certificate alone that names itself as its issuer, with a signature that is not its own, is refused where it is', async () => {
  expectRefusal(await judged(alone()), { step: '7.1.24', word: 'attestation_chain_signature_invalid' })
})

it.each([
  ['that ends below the root', () => [leafOf(), intermediateCertificate()]],
  ['that brings the root along', () => [leafOf(), intermediateCertificate(), rootCertificate()]],
  ['of one certificate under the root', () => [certificate()]],
])('a chain is trusted: %s', async (_, chain) => {
  const root = rootCertificate()
  const given = chain().map((bytes, i) => (i === 2 ? root : bytes))
  const verdict = await judged(given, { roots: [root] })
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value?.trusted).toBe(true)
})

it('a chain is trusted whose leaf is itself an anchor', async () => {
  const leaf = certificate()
  expect((await judged([leaf], { roots: [leaf] })).value?.trusted).toBe(true)
})

it('a chain is trusted: when one of several roots of one name fits', async () => {
  const other = rootCertificate({ key: testKey(-7, 'other'), signer: testKey(-7, 'other') })
  expect((await judged([leafOf(), intermediateCertificate()], { roots: [other, rootCertificate()] })).accepted).toBe(
    true,
  )
})

it('a chain is trusted at the first and at the last second of its validity', async () => {
  const chain = [leafOf({ notBefore: NOW, notAfter: NOW + DAY }), intermediateCertificate()]
  expect((await judged(chain)).accepted).toBe(true)
  expect((await judged(chain, { now: NOW + DAY + 999 })).accepted).toBe(true)
  expect((await judged(chain, { now: NOW + DAY + 1000 })).accepted).toBe(false)
})

it.each([-7, -35, -36, -257, -258, -65535, -8, -37])('a chain of algorithm %i is trusted', async (algorithm) => {
  const issuer = testKey(algorithm, 'issuer')
  const root = rootCertificate({ key: issuer, signer: issuer })
  expect((await judged([certificate({ signer: issuer })], { roots: [root] })).failure).toBeUndefined()
})

const SHA256 = oid('2.16.840.1.101.3.4.2.1')
const pss = (hash: Bytes, maskHash: Bytes) =>
  sequence(
    oid('1.2.840.113549.1.1.10'),
    sequence(context(0, hash), context(1, sequence(oid('1.2.840.113549.1.1.8'), maskHash)), context(2, integer(32))),
  )
const bare = sequence(SHA256)
const nulled = sequence(SHA256, nothing)

it.each([
  ['sha1WithRSAEncryption', -65535, sequence(oid('1.2.840.113549.1.1.5'))],
  ['sha256WithRSAEncryption', -257, sequence(oid('1.2.840.113549.1.1.11'))],
  ['sha384WithRSAEncryption', -258, sequence(oid('1.2.840.113549.1.1.12'))],
  ['RSASSA-PSS, neither hash with NULL', -37, pss(bare, bare)],
  ['RSASSA-PSS, one hash with NULL', -37, pss(bare, nulled)],
  ['RSASSA-PSS, the other hash with NULL', -37, pss(nulled, bare)],
])('RFC 4055: an RSA signature is the same without NULL parameters: %s', async (_, algorithm, signatureAlgorithm) => {
  const issuer = testKey(algorithm, 'issuer')
  const root = rootCertificate({ key: issuer, signer: issuer, signatureAlgorithm })
  const verdict = await judged([certificate({ signer: issuer, signatureAlgorithm })], { roots: [root] })
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value?.trusted).toBe(true)
})

it('RFC 4055: an RSA signature is the same with NULL parameters and without, and other parameters are not understood', async () => {
  const issuer = testKey(-257, 'issuer')
  const signatureAlgorithm = sequence(oid('1.2.840.113549.1.1.11'), integer(1))
  const root = rootCertificate({ key: issuer, signer: issuer })
  const verdict = await judged([certificate({ signer: issuer, signatureAlgorithm })], { roots: [root] })
  expect(reasonsOf(verdict)).toEqual(['attestation_untrusted', 'attestation_certificate_algorithm_unsupported'])
})

it('an unreadable root trusts nothing', async () => {
  const verdict = await judged([certificate()], { roots: [Uint8Array.of(1, 2, 3)] })
  expectRefusal(verdict, { word: 'attestation_untrusted', step: '7.1.24' })
})
