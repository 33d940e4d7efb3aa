import type { CheckName } from '../../contract/judge/checks.ts'
import type { Evidence } from '../../contract/judge/evidence.ts'
import type { FailureWord } from '../../contract/judge/failure-words.ts'
import { concat } from '../../protocol/bytes.ts'
import { attributeValue, type Certificate, NAME_ATTRIBUTE_OID } from '../certificate.ts'
import type { CheckList } from '../check-list.ts'
import { NO_EVIDENCE } from '../describe.ts'
import {
  checkLeaf,
  checkOwnAlgorithm,
  checkSignature,
  defineCertified,
  defineProcedure,
  hasMember,
  readStatement,
  type VerifyAttestation,
} from './format.ts'

/** WebAuthn §8.2: signed with a certificate's key, or with the credential's own. */
export const verifyPacked: VerifyAttestation = (input) =>
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
