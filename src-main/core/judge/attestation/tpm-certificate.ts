import { type Certificate, decodeName, EXTENSION, nameValue, showName } from '../certificate.ts'
import { extendedKeyUsage } from '../certificate-extensions.ts'
import type { CheckList } from '../check-list.ts'
import { decodeDer, isContext, sequenceOf } from '../der.ts'
import { NOTHING, showValue } from '../describe.ts'
import type { JudgeSwitches } from '../switches.ts'
import { tpmManufacturers } from '../tpm-manufacturers.ts'

const MANUFACTURER = '2.23.133.2.1'
const MODEL = '2.23.133.2.2'
const VERSION = '2.23.133.2.3'
const AIK_CERTIFICATE = '2.23.133.8.3'

/** WebAuthn §8.3.1, beside what every attestation certificate must have. */
export const checkTpmCertificate = (list: CheckList, certificate: Certificate, switches: JudgeSwitches): void => {
  list.check('subject_empty', certificate.subject.attributes.length === 0, {
    word: 'tpm_subject_not_empty',
    expected: { code: 'empty_name' },
    received: showName(certificate.subject),
  })
  checkAlternativeName(list, certificate, switches)
  const usage = extendedKeyUsage(certificate)
  const purposes = usage === undefined || usage === 'malformed' ? [] : usage
  list.check('key_for_attesting', purposes.includes(AIK_CERTIFICATE), {
    word: 'tpm_key_purpose_missing',
    expected: AIK_CERTIFICATE,
    received: purposes.join(', ') || (usage === 'malformed' ? { code: 'extension_malformed' } : NOTHING),
  })
}

/** TCG EK Credential Profile §3.2.9: manufacturer, model and version in a directory name. */
const checkAlternativeName = (list: CheckList, certificate: Certificate, switches: JudgeSwitches): void => {
  const extension = certificate.extensions.get(EXTENSION.subjectAlternativeName)
  const there = list.check('alternative_name_there', extension !== undefined, {
    word: 'tpm_alternative_name_missing',
  })
  if (!there || extension === undefined) return
  const der = decodeDer(extension.value)
  // RFC 5280 §4.2.1.6: directoryName is [4], explicit because Name is a choice.
  const directory = der.ok ? sequenceOf(der.value)?.find((name) => isContext(name, 4))?.children[0] : undefined
  const name = decodeName(directory)
  const value = (type: string) => name && nameValue(name, type)
  const manufacturer = value(MANUFACTURER)
  const complete = list.check(
    'alternative_name_complete',
    manufacturer !== undefined && value(MODEL) !== undefined && value(VERSION) !== undefined,
    { word: 'tpm_alternative_name_malformed', received: name ? showName(name) : { code: 'no_directory_name' } },
  )
  if (!complete || switches.acceptUnknownTpmManufacturer) return
  list.check('manufacturer_registered', tpmManufacturers.has(manufacturer?.toUpperCase().replace('ID:', 'id:') ?? ''), {
    word: 'tpm_manufacturer_unknown',
    received: showValue(manufacturer),
  })
}
