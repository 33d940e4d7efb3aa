import { concat } from '../../protocol/bytes.ts'
import { algorithmName } from '../algorithms.ts'
import { type Certificate, NAME_TYPE, nameValue } from '../certificate.ts'
import { type CheckList, createCheckList } from '../check-list.ts'
import type { CheckTitle } from '../check-titles.ts'
import type { FailureWord } from '../failure-words.ts'
import { checkLeaf } from './certificate-rules.ts'
import { checkCertificateSignature, checkSignature } from './check-signature.ts'
import type { AttestationInput, AttestationOutcome, VerifyAttestation } from './format.ts'
import { readCertificates } from './read-certificates.ts'
import { hasMember, readStatement } from './statement.ts'

/** WebAuthn §8.2: with certificates, or by the credential itself. */
export const verifyPacked: VerifyAttestation = (input) =>
  hasMember(input.statement, 'x5c') ? verifyCertified(input) : verifySelf(input)

const verifySelf = async (input: AttestationInput): Promise<AttestationOutcome> => {
  const { authenticatorData, clientDataHash, crypto } = input
  const list = createCheckList()
  const { members, findings } = readStatement(input.statement, { alg: 'algorithm', sig: 'bytes' })
  list.settle('The statement has the form of its format', findings)
  const { key } = authenticatorData.attested
  if (members) {
    const matches = list.check('The algorithm is that of the credential', members.alg === key.algorithm, {
      word: 'attestation_algorithm_mismatch',
      expected: algorithmName(key.algorithm),
      received: algorithmName(members.alg),
    })
    const data = concat(authenticatorData.bytes, clientDataHash)
    const check = { algorithm: members.alg, key: key.key, data, signature: members.sig }
    if (matches) await checkSignature(list, check, crypto)
  }
  return { checks: list.checks(), type: 'self', trustPath: [] }
}

const verifyCertified = async (input: AttestationInput): Promise<AttestationOutcome> => {
  const { authenticatorData, clientDataHash, crypto } = input
  const list = createCheckList()
  const { members, findings } = readStatement(input.statement, { alg: 'algorithm', sig: 'bytes', x5c: 'certificates' })
  list.settle('The statement has the form of its format', findings)
  const trustPath = members && readCertificates(list, members.x5c, input.switches)
  if (trustPath) {
    const [leaf] = trustPath
    const data = concat(authenticatorData.bytes, clientDataHash)
    const check = { algorithm: members.alg, data, signature: members.sig }
    await checkCertificateSignature(list, { certificate: leaf, ...check }, crypto)
    checkLeaf(list, leaf, authenticatorData.attested.aaguid)
    checkSubject(list, leaf)
  }
  return { checks: list.checks(), type: 'basic', trustPath: trustPath ?? [] }
}

const UNIT = 'Authenticator Attestation'

/** WebAuthn §8.2.1: what the subject of the certificate must say. */
const checkSubject = (list: CheckList, { subject }: Certificate): void => {
  const field = (rule: {
    type: string
    title: CheckTitle
    word: FailureWord
    expected: string
    holds: (value: string) => boolean
  }) => {
    const value = nameValue(subject, rule.type)
    const received = value === undefined ? 'nothing' : JSON.stringify(value)
    const { word, expected } = rule
    list.check(rule.title, value !== undefined && rule.holds(value), { word, expected, received })
  }
  field({
    type: NAME_TYPE.country,
    title: 'The subject names a country',
    word: 'attestation_certificate_country',
    expected: 'a two-letter country code',
    holds: (value) => /^[A-Z]{2}$/.test(value),
  })
  field({
    type: NAME_TYPE.organization,
    title: 'The subject names the vendor',
    word: 'attestation_certificate_organization',
    expected: 'the legal name of the vendor',
    holds: (value) => value !== '',
  })
  field({
    type: NAME_TYPE.organizationalUnit,
    title: `The unit is "${UNIT}"`,
    word: 'attestation_certificate_unit',
    expected: JSON.stringify(UNIT),
    holds: (value) => value === UNIT,
  })
  field({
    type: NAME_TYPE.commonName,
    title: 'The subject has a common name',
    word: 'attestation_certificate_common_name',
    expected: 'a name of the vendor’s choosing',
    holds: (value) => value !== '',
  })
}
