import { type Bytes, equalBytes } from '../../protocol/bytes.ts'
import { type Certificate, EXTENSION } from '../certificate.ts'
import { basicConstraints, fidoAaguid } from '../certificate-extensions.ts'
import type { CheckList } from '../check-list.ts'
import { formatUuid } from '../uuid.ts'

/** What packed and TPM attestation ask of the leaf alike (WebAuthn §8.2.1, §8.3.1). */
export const checkLeaf = (list: CheckList, certificate: Certificate, aaguid: Bytes): void => {
  list.check('The certificate is of version 3', certificate.version === 3, {
    word: 'attestation_certificate_version',
    expected: '3',
    received: String(certificate.version),
  })
  const constraints = basicConstraints(certificate)
  list.check('The certificate has basic constraints', typeof constraints === 'object', {
    word: 'attestation_certificate_constraints_missing',
    expected: 'basic constraints with CA false',
  })
  if (typeof constraints === 'object') {
    list.check('The certificate is not a CA', !constraints.ca, { word: 'attestation_certificate_is_ca' })
  }
  checkAaguid(list, certificate, aaguid)
}

const checkAaguid = (list: CheckList, certificate: Certificate, expected: Bytes): void => {
  const extension = fidoAaguid(certificate)
  if (extension === undefined) return
  const readable = list.check('The AAGUID extension can be read', extension !== 'malformed', {
    word: 'attestation_certificate_aaguid_malformed',
    expected: '16 bytes in an OCTET STRING of their own',
  })
  list.check('The AAGUID extension is not critical', !certificate.extensions.get(EXTENSION.fidoAaguid)?.critical, {
    word: 'attestation_certificate_aaguid_critical',
  })
  if (!readable || extension === 'malformed') return
  list.check('The certificate is for this AAGUID', equalBytes(extension, expected), {
    word: 'attestation_certificate_aaguid_mismatch',
    expected: formatUuid(expected),
    received: formatUuid(extension),
  })
}
