import { type Bytes, equalBytes } from '../../protocol/bytes.ts'
import { basicConstraints, type Certificate, EXTENSION, fidoAaguid } from '../certificate.ts'
import type { CheckList } from '../check-list.ts'
import { formatUuid } from '../describe.ts'

/** Rules for the leaf that packed and TPM attestation share (WebAuthn §8.2.1, §8.3.1). */
export const checkLeaf = (list: CheckList, certificate: Certificate, aaguid: Bytes): void => {
  list.check('certificate_version_3', certificate.version === 3, {
    word: 'attestation_certificate_version',
    expected: '3',
    received: String(certificate.version),
  })
  const constraints = basicConstraints(certificate)
  list.check('certificate_constraints', typeof constraints === 'object', {
    word: 'attestation_certificate_constraints_missing',
    expected: { code: 'not_a_ca' },
  })
  if (typeof constraints === 'object') {
    list.check('certificate_not_ca', !constraints.ca, { word: 'attestation_certificate_is_ca' })
  }
  checkAaguid(list, certificate, aaguid)
}

const checkAaguid = (list: CheckList, certificate: Certificate, expected: Bytes): void => {
  const extension = fidoAaguid(certificate)
  if (extension === undefined) return
  const readable = list.check('aaguid_readable', extension !== 'malformed', {
    word: 'attestation_certificate_aaguid_malformed',
    expected: { code: 'aaguid_octets' },
  })
  list.check('aaguid_not_critical', !certificate.extensions.get(EXTENSION.fidoAaguid)?.critical, {
    word: 'attestation_certificate_aaguid_critical',
  })
  if (!readable || extension === 'malformed') return
  list.check('certificate_aaguid', equalBytes(extension, expected), {
    word: 'attestation_certificate_aaguid_mismatch',
    expected: formatUuid(expected),
    received: formatUuid(extension),
  })
}
