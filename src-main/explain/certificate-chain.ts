import { equalBytes, toHex } from '../protocol/bytes.ts'
import type { Millis } from '../protocol/clock.ts'
import { type Certificate, EXTENSION, showName } from './certificate.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  extendedKeyUsage,
  mayCertify,
  subjectKeyIdentifier,
} from './certificate-extensions.ts'
import { verifyCertificate } from './certificate-signature.ts'
import { type CheckList, createCheckList } from './check-list.ts'
import type { JudgeCrypto } from './crypto-port.ts'
import type { Finding } from './step.ts'

type Bench = { readonly now: Millis; readonly crypto: JudgeCrypto }

/** Certificates may mark these as critical, because we look at them or they bind nothing here. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  EXTENSION.basicConstraints,
  EXTENSION.keyUsage,
  EXTENSION.extendedKeyUsage,
  EXTENSION.subjectAlternativeName,
  EXTENSION.subjectKeyIdentifier,
  EXTENSION.authorityKeyIdentifier,
])

/** The path as it came, leaf first: every certificate in force, each signed by the next, all in order. */
export const checkChain = async (chain: readonly Certificate[], bench: Bench): Promise<CheckList> => {
  const list = createCheckList()
  list.settle(
    'The certificates are in force',
    chain.flatMap((item, i) => validity(item, bench.now, i === 0 ? 'leaf' : 'issuer')),
  )
  list.settle('No critical extension is unknown', chain.flatMap(criticalExtensions))
  list.settle('The extensions can be read', chain.flatMap(malformedExtensions))
  const repeated = chain.filter((one, i) => chain.findIndex((other) => equalBytes(one.bytes, other.bytes)) < i)
  list.settle(
    'No certificate is there twice',
    repeated.map((one) => ({
      word: 'attestation_chain_repeated',
      received: showName(one.subject),
    })),
  )
  if (repeated.length > 0) return list
  const links: Finding[] = []
  for (const [i, certificate] of chain.entries()) {
    const issuer = chain[i + 1]
    const finding = issuer && (await linkFinding({ certificate, issuer, below: i, chain }, bench))
    if (finding) links.push(finding)
  }
  const ownSignature = await selfSignatureFinding(chain.at(-1), bench)
  if (ownSignature) links.push(ownSignature)
  list.settle('Each certificate is issued by the next', links)
  return list
}

/** Whether the path ends at one of the roots: at the root itself, or at a certificate that it issued. */
export const isTrusted = async (
  chain: readonly Certificate[],
  roots: readonly Certificate[],
  bench: Bench,
): Promise<{ readonly trusted: boolean; readonly finding?: Finding }> => {
  const last = chain.at(-1)
  let finding: Finding | undefined
  for (const root of last ? roots : []) {
    const itself = chain.some((certificate) => equalBytes(certificate.bytes, root.bytes))
    const issued = !itself && last !== undefined && equalBytes(last.issuer.bytes, root.subject.bytes)
    if (!itself && !issued) continue
    const [outOfForce] = validity(root, bench.now, 'root')
    const broken =
      issued && last
        ? await linkFinding({ certificate: last, issuer: root, below: chain.length - 1, chain }, bench)
        : undefined
    if (outOfForce === undefined && broken === undefined) return { trusted: true }
    finding ??= outOfForce
  }
  return { trusted: false, ...(finding && { finding }) }
}

/** A root that comes along is not trusted for its own signature, but a wrong one says that it was tampered with. */
const selfSignatureFinding = async (last: Certificate | undefined, { crypto }: Bench): Promise<Finding | undefined> => {
  if (last?.key === undefined || !equalBytes(last.issuer.bytes, last.subject.bytes)) return undefined
  const { outcome } = await verifyCertificate(last, last.key, crypto)
  if (outcome === 'valid' || outcome === 'unsupported') return undefined
  const received = showName(last.subject)
  return { word: 'attestation_chain_signature_invalid', expected: 'signed by itself', received }
}

const WORDS = {
  leaf: { expired: 'attestation_certificate_expired', early: 'attestation_certificate_not_yet_valid' },
  issuer: { expired: 'attestation_issuer_expired', early: 'attestation_issuer_not_yet_valid' },
  root: { expired: 'attestation_root_expired', early: 'attestation_root_not_yet_valid' },
} as const

const validity = (certificate: Certificate, now: Millis, role: keyof typeof WORDS): readonly Finding[] => {
  const { notBefore, notAfter } = certificate
  const received = `${showTime(notBefore)} to ${showTime(notAfter)} (${showName(certificate.subject)})`
  const detail = { expected: `in force at ${showTime(now)}`, received }
  if (now < notBefore) return [{ word: WORDS[role].early, ...detail }]
  // RFC 5280 §4.1.2.5: the last second still counts.
  return now >= notAfter + 1000 ? [{ word: WORDS[role].expired, ...detail }] : []
}

const criticalExtensions = (certificate: Certificate): readonly Finding[] =>
  [...certificate.extensions]
    .filter(([id, { critical }]) => critical && !UNDERSTOOD.has(id))
    .map(([received]) => ({ word: 'attestation_certificate_critical_extension', received }))

const READERS = [basicConstraints, mayCertify, extendedKeyUsage, subjectKeyIdentifier, authorityKeyIdentifier] as const

const malformedExtensions = (certificate: Certificate): readonly Finding[] =>
  READERS.some((read) => read(certificate) === 'malformed')
    ? [{ word: 'attestation_certificate_extension_malformed', received: showName(certificate.subject) }]
    : []

type Link = {
  readonly certificate: Certificate
  readonly issuer: Certificate
  /** How many certificates stand between the issuer and the leaf's own subject. */
  readonly below: number
  readonly chain: readonly Certificate[]
}

const linkFinding = async ({ certificate, issuer, below, chain }: Link, bench: Bench): Promise<Finding | undefined> => {
  const expected = showName(certificate.issuer)
  const received = showName(issuer.subject)
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
  if (mayCertify(issuer) === false) {
    return { word: 'attestation_issuer_may_not_certify', received }
  }
  if (constraints.pathLength !== undefined && below > constraints.pathLength) {
    return {
      word: 'attestation_chain_too_long',
      expected: `at most ${constraints.pathLength} between`,
      received: String(below),
    }
  }
  if (issuer.key === undefined) return { word: 'attestation_certificate_key_unsupported', received }
  const { outcome } = await verifyCertificate(certificate, issuer.key, bench.crypto)
  if (outcome === 'valid') return undefined
  if (outcome === 'unsupported')
    return { word: 'attestation_certificate_algorithm_unsupported', received: showName(certificate.subject) }
  return {
    word: 'attestation_chain_signature_invalid',
    expected: `signed by ${received}`,
    received: showName(certificate.subject),
  }
}

/** ISO 8601 to the second. Years beyond 9999 keep their digits. */
const showTime = (time: Millis): string => new Date(time).toISOString().replace('.000Z', 'Z')
