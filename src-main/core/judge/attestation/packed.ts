import type { CheckName } from '../../contract/judge/checks.ts'
import type { Evidence } from '../../contract/judge/evidence.ts'
import type { FailureWord } from '../../contract/judge/failure-words.ts'
import { concat } from '../../protocol/bytes.ts'
import { algorithmName } from '../algorithms.ts'
import { type Certificate, NAME_TYPE, nameValue } from '../certificate.ts'
import { type CheckList, createCheckList } from '../check-list.ts'
import { NOTHING } from '../describe.ts'
import {
  type AttestationInput,
  type AttestationOutcome,
  checkLeaf,
  checkSignature,
  hasMember,
  readStatement,
  type VerifyAttestation,
  verifyCertified,
} from './format.ts'

/** WebAuthn §8.2: signed with a certificate's key, or with the credential's own. */
export const verifyPacked: VerifyAttestation = (input) =>
  hasMember(input.statement, 'x5c')
    ? verifyCertified(input, (list, leaf) => {
        checkLeaf(list, leaf, input.authenticatorData.attested.aaguid)
        checkSubject(list, leaf)
      })
    : verifySelf(input)

const verifySelf = async (input: AttestationInput): Promise<AttestationOutcome> => {
  const { authenticatorData, clientDataHash, crypto } = input
  const list = createCheckList()
  const { members, findings } = readStatement(input.statement, { alg: 'algorithm', sig: 'bytes' })
  list.settle('statement_form', findings)
  const { key } = authenticatorData.attested
  if (members) {
    const matches = list.check('algorithm_of_credential', members.alg === key.algorithm, {
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

const UNIT = 'Authenticator Attestation'

/** WebAuthn §8.2.1: the required subject of the certificate. */
const checkSubject = (list: CheckList, { subject }: Certificate): void => {
  const field = (rule: {
    type: string
    name: CheckName
    word: FailureWord
    expected: Evidence
    holds: (value: string) => boolean
  }) => {
    const value = nameValue(subject, rule.type)
    const received = value === undefined ? NOTHING : JSON.stringify(value)
    const { word, expected } = rule
    list.check(rule.name, value !== undefined && rule.holds(value), { word, expected, received })
  }
  field({
    type: NAME_TYPE.country,
    name: 'subject_country',
    word: 'attestation_certificate_country',
    expected: { code: 'country_code' },
    holds: (value) => /^[A-Z]{2}$/.test(value),
  })
  field({
    type: NAME_TYPE.organization,
    name: 'subject_vendor',
    word: 'attestation_certificate_organization',
    expected: { code: 'vendor_name' },
    holds: (value) => value !== '',
  })
  field({
    type: NAME_TYPE.organizationalUnit,
    name: 'subject_unit',
    word: 'attestation_certificate_unit',
    expected: JSON.stringify(UNIT),
    holds: (value) => value === UNIT,
  })
  field({
    type: NAME_TYPE.commonName,
    name: 'subject_common_name',
    word: 'attestation_certificate_common_name',
    expected: { code: 'common_name' },
    holds: (value) => value !== '',
  })
}
