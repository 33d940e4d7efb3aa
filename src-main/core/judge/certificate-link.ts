import { equalBytes, toHex } from '../protocol/bytes.ts'
import type { Millis } from '../protocol/time.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  type Certificate,
  canSignCertificates,
  formatName,
  nameEvidence,
  subjectKeyIdentifier,
} from './certificate.ts'
import { verifyCertificate } from './certificate-signature.ts'
import type { Finding } from './check-list.ts'
import type { JudgeCrypto } from './crypto-port.ts'

export type ChainContext = { readonly now: Millis; readonly crypto: JudgeCrypto }

const WORDS = {
  leaf: { expired: 'attestation_certificate_expired', early: 'attestation_certificate_not_yet_valid' },
  issuer: { expired: 'attestation_issuer_expired', early: 'attestation_issuer_not_yet_valid' },
  root: { expired: 'attestation_root_expired', early: 'attestation_root_not_yet_valid' },
} as const

export const validityFindings = (
  certificate: Certificate,
  now: Millis,
  role: keyof typeof WORDS,
): readonly Finding[] => {
  const { notBefore, notAfter } = certificate
  const name = formatName(certificate.subject)
  const received = { code: 'in_force_between', params: { from: notBefore, to: notAfter, name } } as const
  const detail = { expected: { code: 'in_force_at', params: { time: now } }, received } as const
  if (now < notBefore) return [{ word: WORDS[role].early, ...detail }]
  // RFC 5280 §4.1.2.5: the validity period includes the second of notAfter.
  return now >= notAfter + 1000 ? [{ word: WORDS[role].expired, ...detail }] : []
}

export type Link = {
  readonly certificate: Certificate
  readonly issuer: Certificate
  /** Number of certificates between the issuer and the leaf. */
  readonly below: number
  readonly chain: readonly Certificate[]
}

/** Why `issuer` did not issue the certificate, or was not allowed to (RFC 5280 §6.1.3, §6.1.4). */
export const linkFinding = async (
  { certificate, issuer, below, chain }: Link,
  bench: ChainContext,
): Promise<Finding | undefined> => {
  const expected = nameEvidence(certificate.issuer)
  const received = nameEvidence(issuer.subject)
  if (!equalBytes(certificate.issuer.bytes, issuer.subject.bytes)) {
    const elsewhere = chain.some(
      (other) => other !== certificate && equalBytes(other.subject.bytes, certificate.issuer.bytes),
    )
    return { word: elsewhere ? 'attestation_chain_misordered' : 'attestation_chain_broken', expected, received }
  }
  const [wanted, offered] = [authorityKeyIdentifier(certificate), subjectKeyIdentifier(issuer)]
  if (wanted instanceof Uint8Array && offered instanceof Uint8Array && !equalBytes(wanted, offered)) {
    return { word: 'attestation_chain_key_identifier_mismatch', expected: toHex(wanted), received: toHex(offered) }
  }
  const constraints = basicConstraints(issuer)
  if (typeof constraints !== 'object' || !constraints.ca) return { word: 'attestation_issuer_not_ca', received }
  if (canSignCertificates(issuer) === false) {
    return { word: 'attestation_issuer_may_not_certify', received }
  }
  if (constraints.pathLength !== undefined && below > constraints.pathLength) {
    return {
      word: 'attestation_chain_too_long',
      expected: { code: 'certificates_between', params: { count: constraints.pathLength } },
      received: String(below),
    }
  }
  if (issuer.key === undefined) return { word: 'attestation_certificate_key_unsupported', received }
  const { outcome } = await verifyCertificate(certificate, issuer.key, bench.crypto)
  if (outcome === 'valid') return undefined
  if (outcome === 'unsupported')
    return { word: 'attestation_certificate_algorithm_unsupported', received: nameEvidence(certificate.subject) }
  return {
    word: 'attestation_chain_signature_invalid',
    expected: { code: 'signed_by', params: { name: formatName(issuer.subject) } },
    received: nameEvidence(certificate.subject),
  }
}
