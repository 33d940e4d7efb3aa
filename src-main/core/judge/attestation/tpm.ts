import type { RelaxedRules } from '../../contract/profile.ts'
import { type Bytes, concat } from '../../protocol/bytes.ts'
import { algorithmName, describeKey, findAlgorithm } from '../algorithms.ts'
import {
  attributeValue,
  type Certificate,
  decodeName,
  EXTENSION,
  extendedKeyUsage,
  nameEvidence,
} from '../certificate.ts'
import type { CheckList } from '../check-list.ts'
import type { JudgeCrypto } from '../crypto-port.ts'
import { decodeDer, isContext, sequenceItems } from '../der.ts'
import { NO_EVIDENCE, showValue } from '../describe.ts'
import { sameKey } from '../spki.ts'
import {
  decodeTpmCertifyInfo,
  decodeTpmPublicArea,
  TPM_GENERATED_VALUE,
  TPM_ST_ATTEST_CERTIFY,
  type TpmCertifyInfo,
  type TpmPublicArea,
} from '../tpm.ts'
import {
  type AttestationInput,
  checkCertificateSignature,
  checkLeaf,
  checkSame,
  defineProcedure,
  readCertificates,
  readStatement,
} from './format.ts'

const STATEMENT = {
  ver: 'text',
  alg: 'algorithm',
  x5c: 'certificates',
  sig: 'bytes',
  certInfo: 'bytes',
  pubArea: 'bytes',
} as const

/** WebAuthn §8.3. */
export const verifyTpm = defineProcedure('attca', async (list, input) => {
  const members = readStatement(list, input.statement, STATEMENT)
  if (members === undefined) return undefined
  const { ver, alg, x5c, sig, certInfo, pubArea } = members
  const { attested } = input.authenticatorData
  checkSame(list, 'tpm_version', { word: 'tpm_version_unsupported', expected: '2.0', received: ver })
  const area = decodeTpmPublicArea(pubArea)
  list.settle('pub_area_readable', area.ok ? [] : [{ word: 'tpm_pub_area_malformed', received: area.error }])
  if (area.ok)
    list.check('pub_area_key', sameKey(area.value.key, attested.key.key), {
      word: 'tpm_pub_area_key_mismatch',
      expected: describeKey(attested.key.key),
      received: describeKey(area.value.key),
    })
  const trustPath = readCertificates(list, x5c, input.relaxed)
  if (trustPath) {
    const [leaf] = trustPath
    checkLeaf(list, leaf, attested.aaguid)
    checkTpmCertificate(list, leaf, input.relaxed)
    const check = { certificate: leaf, algorithm: alg, data: certInfo, signature: sig }
    await checkCertificateSignature(list, check, input.crypto)
  }
  const info = decodeTpmCertifyInfo(certInfo)
  list.settle('cert_info_readable', info.ok ? [] : [{ word: 'tpm_cert_info_malformed', received: info.error }])
  if (info.ok) await checkCertifyInfo(list, { info: info.value, area: area.ok ? area.value : undefined, alg }, input)
  return trustPath
})

const hex = (value: number): string => `0x${value.toString(16)}`

const checkCertifyInfo = async (
  list: CheckList,
  given: { readonly info: TpmCertifyInfo; readonly area: TpmPublicArea | undefined; readonly alg: number },
  { authenticatorData, clientDataHash, crypto, relaxed }: AttestationInput,
): Promise<void> => {
  const { info, area, alg } = given
  const magics = { expected: hex(TPM_GENERATED_VALUE), received: hex(info.magic) }
  checkSame(list, 'cert_info_magic', { word: 'tpm_magic_mismatch', ...magics })
  const types = { expected: hex(TPM_ST_ATTEST_CERTIFY), received: hex(info.type) }
  const certifies = checkSame(list, 'cert_info_type', { word: 'tpm_type_mismatch', ...types })
  const algorithm = findAlgorithm(alg)
  const hash = algorithm && 'hash' in algorithm ? algorithm.hash : undefined
  if (hash === undefined) {
    const received = algorithmName(alg)
    list.check('algorithm_has_hash', false, { word: 'attestation_algorithm_unsupported', received })
  } else {
    const expected = await crypto.digest(hash, concat(authenticatorData.bytes, clientDataHash))
    checkSame(list, 'extra_data_hash', { word: 'tpm_extra_data_mismatch', expected, received: info.extraData })
  }
  if (!certifies || area === undefined) return
  const expected = await nameOf(area, crypto)
  const unsupported = { word: 'tpm_name_algorithm_unsupported', received: hex(area.nameAlgorithm) } as const
  if (!list.found('name_algorithm_known', expected, unsupported)) return
  const weak = area.nameHash === 'SHA-1' && !relaxed.includes('tpm-sha1-names')
  list.check('name_algorithm_strong', !weak, { word: 'tpm_name_algorithm_weak', received: 'SHA-1' })
  checkSame(list, 'certified_name', { word: 'tpm_name_mismatch', expected, received: info.name })
}

/** TPM 2.0 Part 1 §16: the name algorithm, then the hash of the public area. */
const nameOf = async (area: TpmPublicArea, crypto: JudgeCrypto): Promise<Bytes | undefined> => {
  if (area.nameHash === undefined) return undefined
  const algorithm = Uint8Array.of(area.nameAlgorithm >> 8, area.nameAlgorithm & 255)
  return concat(algorithm, await crypto.digest(area.nameHash, area.bytes))
}

const MANUFACTURER = '2.23.133.2.1'
const MODEL = '2.23.133.2.2'
const VERSION = '2.23.133.2.3'
const AIK_CERTIFICATE = '2.23.133.8.3'

/** WebAuthn §8.3.1, in addition to the rules for every attestation certificate. */
const checkTpmCertificate = (list: CheckList, certificate: Certificate, relaxed: RelaxedRules): void => {
  list.check('subject_empty', certificate.subject.attributes.length === 0, {
    word: 'tpm_subject_not_empty',
    expected: { code: 'empty_name' },
    received: nameEvidence(certificate.subject),
  })
  checkAlternativeName(list, certificate, relaxed)
  const usage = extendedKeyUsage(certificate)
  const purposes = usage === undefined || usage === 'malformed' ? [] : usage
  list.check('key_for_attesting', purposes.includes(AIK_CERTIFICATE), {
    word: 'tpm_key_purpose_missing',
    expected: AIK_CERTIFICATE,
    received: purposes.join(', ') || (usage === 'malformed' ? { code: 'extension_malformed' } : NO_EVIDENCE),
  })
}

/** TCG EK Credential Profile §3.2.9: manufacturer, model and version in a directory name. */
const checkAlternativeName = (list: CheckList, certificate: Certificate, relaxed: RelaxedRules): void => {
  const extension = certificate.extensions.get(EXTENSION.subjectAlternativeName)
  if (!list.found('alternative_name_there', extension, { word: 'tpm_alternative_name_missing' })) return
  const der = decodeDer(extension.value)
  // RFC 5280 §4.2.1.6: directoryName is [4], explicit because Name is a choice.
  const directory = der.ok ? sequenceItems(der.value)?.find((name) => isContext(name, 4))?.children[0] : undefined
  const name = decodeName(directory)
  const value = (type: string) => name && attributeValue(name, type)
  const manufacturer = value(MANUFACTURER)
  const complete = list.check(
    'alternative_name_complete',
    manufacturer !== undefined && value(MODEL) !== undefined && value(VERSION) !== undefined,
    { word: 'tpm_alternative_name_malformed', received: name ? nameEvidence(name) : { code: 'no_directory_name' } },
  )
  if (!complete || relaxed.includes('tpm-manufacturer')) return
  list.check('manufacturer_registered', isTpmManufacturer(manufacturer ?? ''), {
    word: 'tpm_manufacturer_unknown',
    received: showValue(manufacturer),
  })
}

/** TCG TPM Vendor ID Registry. */
const VENDORS: ReadonlySet<string> = new Set([
  ...['AMD', 'ANT', 'ATML', 'BRCM', 'CSCO', 'FLYS', 'GOOG', 'HISI', 'HPE', 'HPI'],
  ...['IBM', 'IFX', 'INTC', 'LEN', 'MSFT', 'NSG', 'NSM ', 'NTC', 'NTZ', 'QCOM'],
  ...['ROCC', 'SECE', 'SEAL', 'SMSC', 'SMSN', 'SNS', 'STM ', 'TXN', 'WEC'],
])

/** The FIDO Alliance's own, for tests. */
const OF_FIDO = 'FFFFF1D0'

/** Expects the form of a TPM certificate's Subject Alternative Name: up to four letters in hex, filled with zeros. */
export const isTpmManufacturer = (text: string): boolean => {
  const [, hex = ''] = /^id:([\da-f]{8})$/i.exec(text) ?? []
  const letters = hex.replace(/(00)+$/, '').replace(/../g, (octet) => String.fromCharCode(Number.parseInt(octet, 16)))
  return VENDORS.has(letters) || hex.toUpperCase() === OF_FIDO
}
