import { equalBytes } from '../protocol/bytes.ts'
import { type Certificate, EXTENSION, isSelfIssued, nameText, showName } from './certificate.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  extendedKeyUsage,
  mayCertify,
  type Read,
  subjectKeyIdentifier,
} from './certificate-extensions.ts'
import { type Bench, linkFinding, validity } from './certificate-link.ts'
import { certificatePolicies, inhibitAnyPolicy, policyConstraints, policyFindings } from './certificate-policies.ts'
import { verifyCertificate } from './certificate-signature.ts'
import { type CheckList, createCheckList } from './check-list.ts'
import type { Finding } from './finding.ts'

/** The extensions that are processed, and may therefore be critical (RFC 5280 §4.2). */
const READERS: Readonly<Record<string, (certificate: Certificate) => Read<unknown>>> = {
  [EXTENSION.basicConstraints]: basicConstraints,
  [EXTENSION.keyUsage]: mayCertify,
  [EXTENSION.extendedKeyUsage]: extendedKeyUsage,
  [EXTENSION.subjectKeyIdentifier]: subjectKeyIdentifier,
  [EXTENSION.authorityKeyIdentifier]: authorityKeyIdentifier,
  [EXTENSION.certificatePolicies]: certificatePolicies,
  [EXTENSION.policyConstraints]: policyConstraints,
  [EXTENSION.inhibitAnyPolicy]: inhibitAnyPolicy,
}

/** Read by the formats that have a use for it; it binds nothing else. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([EXTENSION.subjectAlternativeName])

type Anchors = {
  readonly roots: readonly Certificate[]
  /** Whether the path must lead to one of them. */
  readonly required: boolean
}

/** The path as it came, leaf first: every certificate in force, each signed by the next, all in order. */
export const checkChain = async (
  chain: readonly Certificate[],
  { roots, required }: Anchors,
  bench: Bench,
): Promise<CheckList> => {
  const list = createCheckList()
  list.settle(
    'certificates_in_force',
    belowRoot(chain, roots).flatMap((item, i) => validity(item, bench.now, i === 0 ? 'leaf' : 'issuer')),
  )
  list.settle('critical_extensions_known', chain.flatMap(criticalExtensions))
  list.settle('extensions_readable', chain.flatMap(malformedExtensions))
  const repeated = chain.filter((one, i) => chain.findIndex((other) => equalBytes(one.bytes, other.bytes)) < i)
  list.settle(
    'certificates_distinct',
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
  // WebAuthn §7.1 step 24: a leaf alone leads nowhere, and where no trust is asked for nothing hangs on its own signature.
  const alone = chain.length === 1 && !required
  const ownSignature = alone ? undefined : await selfSignatureFinding(chain.at(-1), bench)
  if (ownSignature) links.push(ownSignature)
  list.settle('certificates_linked', links)
  list.settle('certificate_policies', policyFindings(chain))
  return list
}

/**
 * The certificates whose dates count. RFC 5280 §6.1 asks nothing of a root that comes along, and devices keep sending
 * roots that were renewed long ago with the same key: what counts is the date of the copy that is trusted.
 */
const belowRoot = (chain: readonly Certificate[], roots: readonly Certificate[]): readonly Certificate[] => {
  const end = chain.findIndex((one) => isSelfIssued(one) || roots.some((root) => isSameAuthority(root, one)))
  return end > 0 ? chain.slice(0, end) : chain
}

const isSameAuthority = (one: Certificate, other: Certificate): boolean =>
  equalBytes(one.subject.bytes, other.subject.bytes) && equalBytes(one.publicKeyInfo, other.publicKeyInfo)

/** A root that comes along is not trusted for its own signature, but a wrong one says that it was tampered with. */
const selfSignatureFinding = async (last: Certificate | undefined, { crypto }: Bench): Promise<Finding | undefined> => {
  if (last?.key === undefined || !isSelfIssued(last)) return undefined
  const { outcome } = await verifyCertificate(last, last.key, crypto)
  if (outcome === 'valid' || outcome === 'unsupported') return undefined
  const received = showName(last.subject)
  return { word: 'attestation_chain_signature_invalid', expected: { code: 'signed_by_itself' }, received }
}

const criticalExtensions = (certificate: Certificate): readonly Finding[] =>
  [...certificate.extensions]
    .filter(([id, { critical }]) => critical && !Object.hasOwn(READERS, id) && !READ_ELSEWHERE.has(id))
    .map(([id]) => ({
      word: 'attestation_certificate_critical_extension',
      received: `${id} (${nameText(certificate.subject)})`,
    }))

const malformedExtensions = (certificate: Certificate): readonly Finding[] =>
  Object.entries(READERS)
    .filter(([_, read]) => read(certificate) === 'malformed')
    .map(([id]) => ({
      word: 'attestation_certificate_extension_malformed',
      received: `${id} (${nameText(certificate.subject)})`,
    }))
