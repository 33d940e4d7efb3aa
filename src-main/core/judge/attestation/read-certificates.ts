import type { Evidence } from '../../contract/judge/evidence.ts'
import type { Bytes } from '../../protocol/bytes.ts'
import { type Certificate, type CertificateFault, decodeCertificate } from '../certificate.ts'
import type { CheckList, Finding } from '../check-list.ts'
import type { JudgeSwitches } from '../switches.ts'

const MOST_CERTIFICATES = 16

/** x5c as certificates, leaf first; undefined when one of them cannot be read. */
export const readCertificates = (
  list: CheckList,
  x5c: readonly Bytes[],
  switches: JudgeSwitches,
): readonly [Certificate, ...Certificate[]] | undefined => {
  const findings: Finding[] = []
  const certificates: Certificate[] = []
  if (x5c.length === 0) findings.push({ word: 'attestation_chain_empty' })
  if (x5c.length > MOST_CERTIFICATES)
    findings.push({ word: 'attestation_chain_too_long', received: String(x5c.length) })
  for (const [i, bytes] of x5c.slice(0, MOST_CERTIFICATES).entries()) {
    const certificate = decodeCertificate(bytes, switches)
    if (certificate.ok) certificates.push(certificate.value)
    else findings.push({ word: 'attestation_certificate_malformed', received: faultOf(i, certificate.error) })
  }
  const [leaf, ...rest] = certificates
  return list.settle('certificates_readable', findings) && leaf ? [leaf, ...rest] : undefined
}

const faultOf = (index: number, why: CertificateFault): Evidence => {
  if ('size' in why) return { code: 'certificate_size', params: { index, count: why.size } }
  if ('part' in why) return { code: 'certificate_part', params: { index, part: why.part } }
  return { code: 'certificate_fault', params: { index, ...why } }
}
