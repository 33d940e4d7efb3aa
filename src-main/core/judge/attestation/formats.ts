import type { CheckName } from '../../contract/judge/checks.ts'
import type { Evidence } from '../../contract/judge/evidence.ts'
import type { FailureWord } from '../../contract/judge/failure-words.ts'
import { concat } from '../../protocol/bytes.ts'
import { COMPOUND } from '../attestation-object.ts'
import { type CborArray, type CborItem, findEntry } from '../cbor.ts'
import { attributeValue, type Certificate, NAME_ATTRIBUTE_OID } from '../certificate.ts'
import { type CheckList, createCheckList, type Finding } from '../check-list.ts'
import { member, NO_EVIDENCE } from '../describe.ts'
import { verifyAndroidKey } from './android-key.ts'
import { verifyAndroidSafetyNet } from './android-safetynet.ts'
import { verifyApple } from './apple.ts'
import { verifyFidoU2f } from './fido-u2f.ts'
import {
  type AttestationInput,
  type AttestationOutcome,
  checkLeaf,
  checkOwnAlgorithm,
  checkSignature,
  defineCertified,
  defineProcedure,
  hasMember,
  itemPlace,
  readStatement,
  type VerifyAttestation,
} from './format.ts'
import { verifyTpm } from './tpm.ts'

/** WebAuthn §8.7. */
const verifyNone = defineProcedure('none', async (list, { statement }) => {
  list.check('statement_empty', statement.entries.length === 0, {
    word: 'attestation_statement_not_empty',
    received: { code: 'members', params: { count: statement.entries.length } },
    at: itemPlace(statement),
  })
  return undefined
})

/** WebAuthn §8.2: signed with a certificate's key, or with the credential's own. */
const verifyPacked: VerifyAttestation = (input) =>
  hasMember(input.statement, 'x5c') ? verifyBasic(input) : verifySelf(input)

const verifyBasic = defineCertified((list, leaf, { authenticatorData }) => {
  checkLeaf(list, leaf, authenticatorData.attested.aaguid)
  checkSubject(list, leaf)
})

const verifySelf = defineProcedure('self', async (list, input) => {
  const members = readStatement(list, input.statement, { alg: 'algorithm', sig: 'bytes' })
  if (members === undefined || !checkOwnAlgorithm(list, members.alg, input)) return undefined
  const { bytes, attested } = input.authenticatorData
  const data = concat(bytes, input.clientDataHash)
  const check = { algorithm: members.alg, key: attested.key.key, data, signature: members.sig }
  await checkSignature(list, check, input.crypto)
  return undefined
})

type SubjectRule = readonly [CheckName, keyof typeof NAME_ATTRIBUTE_OID, form: RegExp, FailureWord, expected: Evidence]

const UNIT = 'Authenticator Attestation'

/** WebAuthn §8.2.1: the required subject of the certificate. */
const SUBJECT: readonly SubjectRule[] = [
  ['subject_country', 'country', /^[A-Z]{2}$/, 'attestation_certificate_country', { code: 'country_code' }],
  ['subject_vendor', 'organization', /./s, 'attestation_certificate_organization', { code: 'vendor_name' }],
  ['subject_unit', 'organizationalUnit', RegExp(`^${UNIT}$`), 'attestation_certificate_unit', `"${UNIT}"`],
  ['subject_common_name', 'commonName', /./s, 'attestation_certificate_common_name', { code: 'common_name' }],
]

const checkSubject = (list: CheckList, { subject }: Certificate): void => {
  for (const [name, attribute, form, word, expected] of SUBJECT) {
    const value = attributeValue(subject, NAME_ATTRIBUTE_OID[attribute])
    const received = value === undefined ? NO_EVIDENCE : JSON.stringify(value)
    list.check(name, value !== undefined && form.test(value), { word, expected, received })
  }
}

/** The attestation statement formats (WebAuthn §8), matched case-sensitively. */
const FORMATS: Readonly<Record<string, VerifyAttestation>> = {
  none: verifyNone,
  packed: verifyPacked,
  tpm: verifyTpm,
  'android-key': verifyAndroidKey,
  'android-safetynet': verifyAndroidSafetyNet,
  'fido-u2f': verifyFidoU2f,
  apple: verifyApple,
}

export const attestationFormats: readonly string[] = [...Object.keys(FORMATS), COMPOUND]

export const findAttestationFormat = (name: string): VerifyAttestation | undefined =>
  Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined

/** WebAuthn §8.9: `[2* nonCompoundAttStmt]`. */
const FEWEST = 2

const MEMBERS = ['fmt', 'attStmt']

/**
 * WebAuthn §8.9: several statements about one credential. How many must verify is the RP's policy; here, all of them.
 * Type and path come from the first with certificates, else from a self attestation; trust in any path is enough.
 */
export const verifyCompound = async (
  statements: CborArray,
  input: Omit<AttestationInput, 'statement'>,
): Promise<AttestationOutcome> => {
  const list = createCheckList()
  const outcomes: AttestationOutcome[] = []
  const few = statements.items.length < FEWEST
  list.settle('statement_form', [
    ...(few ? [malformed(statements, 'attStmt', 'statements')] : []),
    ...statements.items.flatMap(formFindings),
  ])
  for (const item of statements.items) {
    const { fmt, attStmt } = partsOf(item)
    const verify = fmt?.type === 'text' ? findAttestationFormat(fmt.value) : undefined
    if (verify && attStmt?.type === 'map') outcomes.push(await verify({ ...input, statement: attStmt }))
  }
  const checks = [...list.checks(), ...outcomes.flatMap((outcome) => outcome.checks)]
  const main =
    outcomes.find(({ trustPath }) => trustPath.length > 0) ??
    outcomes.find(({ type }) => type === 'self') ??
    outcomes[0]
  const others = outcomes.filter((outcome) => outcome !== main)
  return { type: main?.type ?? 'none', trustPath: main?.trustPath ?? [], checks, others }
}

const partsOf = (item: CborItem) =>
  item.type === 'map' ? { fmt: findEntry(item, 'fmt'), attStmt: findEntry(item, 'attStmt') } : {}

const formFindings = (item: CborItem): readonly Finding[] => {
  if (item.type !== 'map') return [malformed(item, 'attStmt', 'map')]
  const { fmt, attStmt } = partsOf(item)
  if (fmt?.type !== 'text') return [malformed(item, 'fmt', 'text')]
  const extra = item.entries.find(({ key }) => key.type !== 'text' || !MEMBERS.includes(key.value))?.key
  if (extra !== undefined) {
    const received = extra.type === 'text' ? extra.value : extra.type
    return [{ word: 'attestation_statement_extra_member', received, at: itemPlace(extra) }]
  }
  // A compound statement may not contain another one, whose statement would be an array.
  if (attStmt?.type !== 'map') return [malformed(item, 'attStmt', 'map')]
  if (findAttestationFormat(fmt.value) === undefined) {
    const expected = Object.keys(FORMATS).join(', ')
    return [{ word: 'attestation_format_unsupported', expected, received: fmt.value, at: itemPlace(fmt) }]
  }
  return []
}

const malformed = (item: CborItem, name: string, type: 'map' | 'statements' | 'text'): Finding => ({
  word: 'malformed_attestation_statement',
  expected: member(name, type),
  received: item.type,
  at: itemPlace(item),
})
