import { describe, expect, it } from 'vitest'
import type { FailureWord } from '../../src-main/explain/failure-words.ts'
import type { Bytes } from '../../src-main/protocol/bytes.ts'
import {
  type CertificateParts,
  CN,
  certificate,
  extension,
  INTERMEDIATE_NAME,
  intermediateCertificate,
  intermediateKey,
  name,
  rootCertificate,
  VALID_TO,
} from '../support/ceremony/certificates.ts'
import { testKey } from '../support/ceremony/keys.ts'
import { NOW, registration } from '../support/ceremony/registration.ts'
import { packedStatement } from '../support/ceremony/statements.ts'
import { expectRefusal, judgedRegistration } from '../support/ceremony/verdicts.ts'

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

type ChainRefusal = readonly [
  title: string,
  chain: () => readonly Uint8Array[],
  word: FailureWord,
  changes?: { roots?: readonly Bytes[]; now?: number },
]

const DAY = 86_400_000

const refusals: readonly ChainRefusal[] = [
  [
    'a leaf that has expired',
    () => [leafOf({ notAfter: NOW - DAY }), intermediateCertificate()],
    'attestation_certificate_expired',
  ],
  [
    'a leaf that is not valid yet',
    () => [leafOf({ notBefore: NOW + DAY }), intermediateCertificate()],
    'attestation_certificate_not_yet_valid',
  ],
  [
    'an issuer that has expired',
    () => [leafOf(), intermediateCertificate({ notAfter: NOW - DAY })],
    'attestation_issuer_expired',
  ],
  [
    'an issuer that is not valid yet',
    () => [leafOf(), intermediateCertificate({ notBefore: NOW + DAY })],
    'attestation_issuer_not_yet_valid',
  ],
  [
    'all of it expired by the workspace’s clock',
    () => [leafOf(), intermediateCertificate()],
    'attestation_certificate_expired',
    { now: VALID_TO + 1000 },
  ],
  [
    'a critical extension nobody knows',
    () => [
      leafOf({
        extensions: [extension.constraints(false), { id: '1.2.3.4', critical: true, value: new Uint8Array(2) }],
      }),
      intermediateCertificate(),
    ],
    'attestation_certificate_critical_extension',
  ],
  [
    'an extension that cannot be read',
    () => [
      leafOf({ extensions: [extension.constraints(false), { id: '2.5.29.37', value: Uint8Array.of(0x30, 1, 0) }] }),
      intermediateCertificate(),
    ],
    'attestation_certificate_extension_malformed',
  ],
  [
    'a certificate twice',
    () =>
      [leafOf(), intermediateCertificate(), intermediateCertificate()].map((bytes, i, all) =>
        i === 2 ? (all[1] ?? bytes) : bytes,
      ),
    'attestation_chain_repeated',
  ],
  [
    'certificates in the wrong order',
    () => [leafOf(), rootCertificate(), intermediateCertificate()],
    'attestation_chain_misordered',
  ],
  ['a link that is missing', () => [leafOf(), rootCertificate()], 'attestation_chain_broken'],
  [
    'an issuer of the right name and another key',
    () => [leafOf({ signer: testKey(-7, 'other') }), intermediateCertificate()],
    'attestation_chain_signature_invalid',
  ],
  [
    'a signature of the wrong form',
    () => [leafOf({ signature: () => new Uint8Array(64) }), intermediateCertificate()],
    'attestation_chain_signature_invalid',
  ],
  [
    'a root that did not sign itself',
    () => [leafOf(), intermediateCertificate(), rootCertificate({ signer: testKey(-7, 'other') })],
    'attestation_chain_signature_invalid',
  ],
  [
    'an issuer that is no CA',
    () => [leafOf(), intermediateCertificate({ extensions: [extension.constraints(false)] })],
    'attestation_issuer_not_ca',
  ],
  [
    'an issuer without basic constraints',
    () => [leafOf(), intermediateCertificate({ extensions: [] })],
    'attestation_issuer_not_ca',
  ],
  [
    'an issuer that may not certify',
    () => [leafOf(), intermediateCertificate({ extensions: [extension.constraints(true), extension.keyUsage(0x80)] })],
    'attestation_issuer_may_not_certify',
  ],
  [
    'an issuer whose key nobody knows',
    () => [leafOf(), intermediateCertificate({ spki: rootCertificate() })],
    'attestation_certificate_key_unsupported',
  ],
  [
    'a signature algorithm nobody knows',
    () => [
      certificate({ issuer: INTERMEDIATE_NAME, signer: testKey(-48, 'ca') }),
      intermediateCertificate({ key: testKey(-48, 'ca') }),
    ],
    'attestation_certificate_algorithm_unsupported',
  ],
  [
    'key identifiers that differ',
    () => [
      leafOf({ extensions: [extension.constraints(false), extension.authorityKeyIdentifier(Uint8Array.of(1))] }),
      intermediateCertificate({
        extensions: [extension.constraints(true), extension.subjectKeyIdentifier(Uint8Array.of(2))],
      }),
    ],
    'attestation_chain_key_identifier_mismatch',
  ],
  ['no root at all', () => [leafOf(), intermediateCertificate()], 'attestation_untrusted', { roots: [] }],
  [
    'a root of the same name with another key',
    () => [leafOf(), intermediateCertificate()],
    'attestation_untrusted',
    { roots: [rootCertificate({ key: testKey(-7, 'other'), signer: testKey(-7, 'other') })] },
  ],
  [
    'a root of another name',
    () => [leafOf(), intermediateCertificate()],
    'attestation_untrusted',
    { roots: [rootCertificate({ subject: name([CN, 'Somebody']) })] },
  ],
  [
    'a root that has expired',
    () => [leafOf(), intermediateCertificate()],
    'attestation_root_expired',
    { roots: [rootCertificate({ notAfter: NOW - DAY })] },
  ],
  [
    'a root that is not valid yet',
    () => [leafOf(), intermediateCertificate()],
    'attestation_root_not_yet_valid',
    { roots: [rootCertificate({ notBefore: NOW + DAY })] },
  ],
]

describe('a chain is refused for', () => {
  const named = refusals.map(([title, chain, word, changes]) => [title, { chain, word, changes }] as const)

  it.each(named)('%s', async (_, { chain, word, changes }) => {
    expectRefusal(await judged(chain(), changes), { word, step: '7.1.24' })
  })

  it('a path that is longer than a CA allows', async () => {
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
})

describe('a chain is trusted', () => {
  it.each([
    ['that ends below the root', () => [leafOf(), intermediateCertificate()]],
    ['that brings the root along', () => [leafOf(), intermediateCertificate(), rootCertificate()]],
    ['of one certificate under the root', () => [certificate()]],
  ])('%s', async (_, chain) => {
    const root = rootCertificate()
    const given = chain().map((bytes, i) => (i === 2 ? root : bytes))
    const verdict = await judged(given, { roots: [root] })
    expect(verdict.failure).toBeUndefined()
    expect(verdict.value?.trusted).toBe(true)
  })

  it('whose leaf is itself an anchor', async () => {
    const leaf = certificate()
    expect((await judged([leaf], { roots: [leaf] })).value?.trusted).toBe(true)
  })

  it('when one of several roots of one name fits', async () => {
    const other = rootCertificate({ key: testKey(-7, 'other'), signer: testKey(-7, 'other') })
    expect((await judged([leafOf(), intermediateCertificate()], { roots: [other, rootCertificate()] })).accepted).toBe(
      true,
    )
  })

  it('at the first and at the last second of its validity', async () => {
    const chain = [leafOf({ notBefore: NOW, notAfter: NOW + DAY }), intermediateCertificate()]
    expect((await judged(chain)).accepted).toBe(true)
    expect((await judged(chain, { now: NOW + DAY + 999 })).accepted).toBe(true)
    expect((await judged(chain, { now: NOW + DAY + 1000 })).accepted).toBe(false)
  })

  it.each([-7, -35, -36, -257, -258, -65535, -8, -37])('when its issuer signs with algorithm %i', async (algorithm) => {
    const issuer = testKey(algorithm, 'issuer')
    const root = rootCertificate({ key: issuer, signer: issuer })
    expect((await judged([certificate({ signer: issuer })], { roots: [root] })).failure).toBeUndefined()
  })
})

it('an unknown root is accepted where any is, and the credential is not called trusted', async () => {
  const verdict = await judged([leafOf(), intermediateCertificate()], { roots: [], any: true })
  expect(verdict.accepted).toBe(true)
  expect(verdict.value?.trusted).toBe(false)
})

it('a certificate that has expired is refused even where any root is accepted', async () => {
  const verdict = await judged([leafOf({ notAfter: NOW - DAY }), intermediateCertificate()], { any: true })
  expectRefusal(verdict, { word: 'attestation_certificate_expired', step: '7.1.24' })
})

it('a root that cannot be read trusts nobody', async () => {
  const verdict = await judged([certificate()], { roots: [Uint8Array.of(1, 2, 3)] })
  expectRefusal(verdict, { word: 'attestation_untrusted', step: '7.1.24' })
})
