import { expect, it } from 'vitest'
import type { RegistrationCase } from '../../../../src-main/core/judge/ceremony-case.ts'
import { whyUncheckable } from '../../../../src-main/service/second-opinion/second-opinion.ts'
import { type Cbor, map } from '../../../support/ceremony/cbor.ts'
import { attestationKey, certificate, rootCertificate } from '../../../support/ceremony/certificates.ts'
import { testKey } from '../../../support/ceremony/keys.ts'
import { NOW, registration, type SignedParts, selfStatement } from '../../../support/ceremony/registration.ts'
import { packedStatement } from '../../../support/ceremony/statements.ts'
import { expectRefusal, judgedRegistration, type Refusals, refusalsOf } from '../../../support/ceremony/verdicts.ts'

const NONE = map(['fmt', 'none'], ['attStmt', map()])
const packed = (changes: Parameters<typeof packedStatement>[0] = {}) => ({
  as: (signed: SignedParts): Cbor => map(['fmt', 'packed'], ['attStmt', packedStatement(changes)(signed)]),
})
const self = { as: (signed: SignedParts): Cbor => map(['fmt', 'packed'], ['attStmt', selfStatement(signed)]) }
const plain = (value: Cbor) => ({ as: (): Cbor => value })

type Part = { readonly as: (signed: SignedParts) => Cbor }

const compound = (parts: readonly Part[], changes: Partial<RegistrationCase> = {}) =>
  registration({
    format: 'compound',
    statement: (signed) => parts.map(({ as }) => as(signed)),
    case: { roots: [rootCertificate()], now: NOW, ...changes },
  })
const judged = (parts: readonly Part[], changes: Partial<RegistrationCase> = {}) =>
  judgedRegistration(compound(parts, changes))

it.each([
  ['of two that verify', [packed(), self], { type: 'basic', trusted: true }],
  ['whose first statement has no path', [self, packed()], { type: 'basic', trusted: true }],
  ['of self attestation and none', [plain(NONE), self], { type: 'self', trusted: false }],
  ['of twice none', [plain(NONE), plain(NONE)], { type: 'none', trusted: false }],
])('[judge.compound] a compound attestation: %s is accepted', async (_, parts, { type, trusted }) => {
  const verdict = await judged(parts)
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format: 'compound', attestationType: type, trusted })
})

it('[judge.compound] a compound attestation is trusted when one of its paths leads to a root', async () => {
  const stranger = packed({ chain: [certificate({ signer: testKey(-7, 'other') })] })
  const verdict = await judged([stranger, packed()], { attestation: 'require-trusted' })
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value?.trusted).toBe(true)
  expectRefusal(await judged([stranger, self], { attestation: 'require-trusted' }), {
    step: '7.1.24',
    word: 'attestation_untrusted',
  })
})

const more = map(['fmt', 'none'], ['more', 1], ['attStmt', map()])
const within = map(['fmt', 'compound'], ['attStmt', [NONE, NONE]])
const forged = packed({ attestationKey: testKey(-7, 'other'), certificate: { key: attestationKey() } })
const refusals: Refusals<Parameters<typeof judged>[0]> = {
  'malformed_attestation_statement: of one statement': [packed()],
  'malformed_attestation_statement: of none': [],
  'malformed_attestation_statement: of what is no statement': [packed(), plain(7)],
  'malformed_attestation_statement: with a statement without a format': [packed(), plain(map(['attStmt', map()]))],
  'malformed_attestation_statement: with a statement without members': [packed(), plain(map(['fmt', 'none']))],
  'attestation_statement_extra_member: with another member': [packed(), plain(more)],
  'malformed_attestation_statement: within another': [packed(), plain(within)],
  'attestation_format_unsupported: with a map within another': [
    packed(),
    plain(map(['fmt', 'compound'], ['attStmt', map()])),
  ],
  'attestation_format_unsupported: with an unknown format': [packed(), plain(map(['fmt', 'x'], ['attStmt', map()]))],
  'attestation_signature_invalid: with one statement that does not verify': [self, forged],
}
it.each(refusalsOf(refusals, '7.1.22'))('[judge.compound] compounds are refused for %s', async (_, parts, refusal) => {
  expectRefusal(await judged(parts), refusal)
})

it('[judge.compound] a compound attestation is an array of statements, and only it is', async () => {
  const asMap = judgedRegistration(registration({ format: 'compound', statement: selfStatement }))
  const asArray = judgedRegistration(registration({ format: 'packed', statement: (signed) => [self.as(signed), NONE] }))
  for (const verdict of [await asMap, await asArray])
    expectRefusal(verdict, { step: '7.1.13', word: 'malformed_attestation_object' })
})

it('[judge.compound] a compound attestation is nothing that the second opinion knows', () => {
  expect(whyUncheckable(compound([packed(), self]), NOW)).toEqual({ code: 'compound_not_known' })
})
