import { equalBytes, toHex } from '../protocol/bytes.ts'
import type { Millis } from '../protocol/time.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  type Certificate,
  canSignCertificates,
  EXTENSION,
  type ExtensionValue,
  extendedKeyUsage,
  formatName,
  isSelfIssued,
  nameEvidence,
  readExtension,
  subjectKeyIdentifier,
} from './certificate.ts'
import { verifyCertificate } from './certificate-signature.ts'
import { type CheckList, createCheckList, type Finding } from './check-list.ts'
import type { JudgeCrypto } from './crypto-port.ts'
import { type DerNode, isContext, oidText, sequenceItems, smallInteger, smallIntegerContent } from './der.ts'

const ANY_POLICY = '2.5.29.32.0'

/** RFC 5280 §4.2.1.4: the policies by name. Their qualifiers are for people and are ignored. */
const certificatePolicies = (certificate: Certificate): ExtensionValue<readonly string[]> =>
  readExtension(certificate, EXTENSION.certificatePolicies, (root) => {
    const policies = sequenceItems(root)?.map(policyIdentifier)
    if (policies === undefined || policies.length === 0) return undefined
    return new Set(policies).size === policies.length && policies.every((policy) => policy !== undefined)
      ? policies
      : undefined
  })

const policyIdentifier = (information: DerNode): string | undefined => {
  const [identifier, qualifiers, ...rest] = sequenceItems(information) ?? []
  const readable = qualifiers === undefined || (sequenceItems(qualifiers)?.length ?? 0) > 0
  return readable && rest.length === 0 ? oidText(identifier) : undefined
}

/** RFC 5280 §4.2.1.11: the number of certificates after which a policy is required. Mappings are ignored. */
const policyConstraints = (certificate: Certificate): ExtensionValue<{ readonly requireExplicit?: number }> =>
  readExtension(certificate, EXTENSION.policyConstraints, (root) => {
    const fields = sequenceItems(root)
    if (fields === undefined || fields.length === 0) return undefined
    const counts = fields.map((field) => (field.constructed ? undefined : smallIntegerContent(field.content)))
    if (!counts.every((count) => count !== undefined && count >= 0)) return undefined
    const requireExplicit = counts[fields.findIndex((field) => isContext(field, 0))]
    return { ...(requireExplicit !== undefined && { requireExplicit }) }
  })

/** RFC 5280 §4.2.1.14: the number of certificates after which anyPolicy no longer means every policy. */
const inhibitAnyPolicy = (certificate: Certificate): ExtensionValue<number> =>
  readExtension(certificate, EXTENSION.inhibitAnyPolicy, (root) => {
    const count = smallInteger(root)
    return count !== undefined && count >= 0 ? count : undefined
  })

/**
 * RFC 5280 §6.1 for a path under a root. The judge accepts any policy and requires none, so the path fails only if one
 * of its certificates requires a policy and none is left. Without policy mappings, the policy tree is a set.
 */
const policyFindings = (chain: readonly Certificate[]): readonly Finding[] => {
  const last = chain.at(-1)
  const path = last && chain.length > 1 && isSelfIssued(last) ? chain.slice(0, -1) : chain
  let valid: ReadonlySet<string> = new Set([ANY_POLICY])
  let untilExplicit = Number.POSITIVE_INFINITY
  let untilNoAny = Number.POSITIVE_INFINITY
  for (const [below, certificate] of [...path.entries()].reverse()) {
    const isLeaf = below === 0
    const selfIssued = !isLeaf && isSelfIssued(certificate)
    valid = policiesAfter(valid, certificate, untilNoAny > 0 || selfIssued)
    if (!selfIssued) {
      untilExplicit = Math.max(0, untilExplicit - 1)
      untilNoAny = Math.max(0, untilNoAny - 1)
    }
    const constraints = policyConstraints(certificate)
    const requireExplicit = typeof constraints === 'object' ? constraints.requireExplicit : undefined
    // §6.1.5 (b): in the last certificate, requireExplicitPolicy counts only if it is 0.
    if (requireExplicit !== undefined && (!isLeaf || requireExplicit === 0)) {
      untilExplicit = Math.min(untilExplicit, requireExplicit)
    }
    const inhibit = inhibitAnyPolicy(certificate)
    if (typeof inhibit === 'number') untilNoAny = Math.min(untilNoAny, inhibit)
    if (untilExplicit === 0 && valid.size === 0) {
      return [{ word: 'attestation_certificate_policy_missing', received: nameEvidence(certificate.subject) }]
    }
  }
  return []
}

const policiesAfter = (
  valid: ReadonlySet<string>,
  certificate: Certificate,
  anyCounts: boolean,
): ReadonlySet<string> => {
  const policies = certificatePolicies(certificate)
  const named = new Set(Array.isArray(policies) ? policies : [])
  if (anyCounts && named.has(ANY_POLICY)) return valid
  named.delete(ANY_POLICY)
  return valid.has(ANY_POLICY) ? named : new Set([...named].filter((policy) => valid.has(policy)))
}

/** The extensions that are processed, and may therefore be critical (RFC 5280 §4.2). */
const READERS: Readonly<Record<string, (certificate: Certificate) => ExtensionValue<unknown>>> = {
  [EXTENSION.basicConstraints]: basicConstraints,
  [EXTENSION.keyUsage]: canSignCertificates,
  [EXTENSION.extendedKeyUsage]: extendedKeyUsage,
  [EXTENSION.subjectKeyIdentifier]: subjectKeyIdentifier,
  [EXTENSION.authorityKeyIdentifier]: authorityKeyIdentifier,
  [EXTENSION.certificatePolicies]: certificatePolicies,
  [EXTENSION.policyConstraints]: policyConstraints,
  [EXTENSION.inhibitAnyPolicy]: inhibitAnyPolicy,
}

/** Extensions that some attestation formats read; they do not restrict the path. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([EXTENSION.subjectAlternativeName])

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

type Anchors = {
  readonly roots: readonly Certificate[]
  /** The path must lead to one of the roots. */
  readonly required: boolean
}

/** The path as received, leaf first. */
export const checkChain = async (
  chain: readonly Certificate[],
  { roots, required }: Anchors,
  bench: ChainContext,
): Promise<CheckList> => {
  const list = createCheckList()
  list.settle(
    'certificates_in_force',
    belowRoot(chain, roots).flatMap((item, i) => validityFindings(item, bench.now, i === 0 ? 'leaf' : 'issuer')),
  )
  list.settle('critical_extensions_known', chain.flatMap(criticalExtensions))
  list.settle('extensions_readable', chain.flatMap(malformedExtensions))
  const repeated = chain.filter((one, i) => chain.findIndex((other) => equalBytes(one.bytes, other.bytes)) < i)
  list.settle(
    'certificates_distinct',
    repeated.map((one) => ({ word: 'attestation_chain_repeated', received: nameEvidence(one.subject) })),
  )
  if (repeated.length > 0) return list
  const links: Finding[] = []
  for (const [i, certificate] of chain.entries()) {
    const issuer = chain[i + 1]
    const finding = issuer && (await linkFinding({ certificate, issuer, below: i, chain }, bench))
    if (finding) links.push(finding)
  }
  // WebAuthn §7.1 step 24: a leaf alone has no path; without required trust, its self-signature does not matter.
  const alone = chain.length === 1 && !required
  const ownSignature = alone ? undefined : await selfSignatureFinding(chain.at(-1), bench)
  if (ownSignature) links.push(ownSignature)
  list.settle('certificates_linked', links)
  list.settle('certificate_policies', policyFindings(chain))
  return list
}

/**
 * The certificates whose dates are checked. RFC 5280 §6.1 does not validate a root in the path, and devices still send
 * roots that were renewed long ago with the same key: only the date of the trusted copy matters.
 */
const belowRoot = (chain: readonly Certificate[], roots: readonly Certificate[]): readonly Certificate[] => {
  const end = chain.findIndex((one) => isSelfIssued(one) || roots.some((root) => isSameAuthority(root, one)))
  return end > 0 ? chain.slice(0, end) : chain
}

const isSameAuthority = (one: Certificate, other: Certificate): boolean =>
  equalBytes(one.subject.bytes, other.subject.bytes) && equalBytes(one.publicKeyInfo, other.publicKeyInfo)

/** A root in the path is not trusted for its own signature, but a wrong signature shows that it was altered. */
const selfSignatureFinding = async (
  last: Certificate | undefined,
  { crypto }: ChainContext,
): Promise<Finding | undefined> => {
  if (last?.key === undefined || !isSelfIssued(last)) return undefined
  const { outcome } = await verifyCertificate(last, last.key, crypto)
  if (outcome === 'valid' || outcome === 'unsupported') return undefined
  const received = nameEvidence(last.subject)
  return { word: 'attestation_chain_signature_invalid', expected: { code: 'signed_by_itself' }, received }
}

const criticalExtensions = (certificate: Certificate): readonly Finding[] =>
  [...certificate.extensions]
    .filter(([id, { critical }]) => critical && !Object.hasOwn(READERS, id) && !READ_ELSEWHERE.has(id))
    .map(([id]) => ({ word: 'attestation_certificate_critical_extension', received: extensionOf(certificate, id) }))

const malformedExtensions = (certificate: Certificate): readonly Finding[] =>
  Object.entries(READERS)
    .filter(([_, read]) => read(certificate) === 'malformed')
    .map(([id]) => ({ word: 'attestation_certificate_extension_malformed', received: extensionOf(certificate, id) }))

const extensionOf = ({ subject }: Certificate, id: string): string => `${id} (${formatName(subject)})`
