import { type Certificate, EXTENSION, isSelfIssued, showName } from './certificate.ts'
import { type Read, readExtension } from './certificate-extensions.ts'
import { type DerNode, isContext, oidOf, sequenceOf, smallInteger, smallIntegerContent } from './der.ts'
import type { Finding } from './finding.ts'

const ANY_POLICY = '2.5.29.32.0'

/** RFC 5280 §4.2.1.4: the policies by name. Their qualifiers are for people and are ignored. */
export const certificatePolicies = (certificate: Certificate): Read<readonly string[]> =>
  readExtension(certificate, EXTENSION.certificatePolicies, (root) => {
    const policies = sequenceOf(root)?.map(policyIdentifier)
    if (policies === undefined || policies.length === 0) return undefined
    return new Set(policies).size === policies.length && policies.every((policy) => policy !== undefined)
      ? policies
      : undefined
  })

const policyIdentifier = (information: DerNode): string | undefined => {
  const [identifier, qualifiers, ...rest] = sequenceOf(information) ?? []
  const readable = qualifiers === undefined || (sequenceOf(qualifiers)?.length ?? 0) > 0
  return readable && rest.length === 0 ? oidOf(identifier) : undefined
}

/** RFC 5280 §4.2.1.11: after how many certificates a policy is demanded. Mappings are not followed, so they need no inhibiting. */
export const policyConstraints = (certificate: Certificate): Read<{ readonly requireExplicit?: number }> =>
  readExtension(certificate, EXTENSION.policyConstraints, (root) => {
    const fields = sequenceOf(root)
    if (fields === undefined || fields.length === 0) return undefined
    const counts = fields.map((field) => (field.constructed ? undefined : smallIntegerContent(field.content)))
    if (!counts.every((count) => count !== undefined && count >= 0)) return undefined
    const requireExplicit = counts[fields.findIndex((field) => isContext(field, 0))]
    return { ...(requireExplicit !== undefined && { requireExplicit }) }
  })

/** RFC 5280 §4.2.1.14: after how many certificates anyPolicy no longer stands for every policy. */
export const inhibitAnyPolicy = (certificate: Certificate): Read<number> =>
  readExtension(certificate, EXTENSION.inhibitAnyPolicy, (root) => {
    const count = smallInteger(root)
    return count !== undefined && count >= 0 ? count : undefined
  })

/**
 * RFC 5280 §6.1 for a path under a root, with every policy welcome and none demanded by us: the path fails only when
 * one of its own certificates demands a policy and no policy is left. Without mappings the tree is a set.
 */
export const policyFindings = (chain: readonly Certificate[]): readonly Finding[] => {
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
    // §6.1.5 (b): in the last certificate only a demand that begins at once counts.
    if (requireExplicit !== undefined && (!isLeaf || requireExplicit === 0)) {
      untilExplicit = Math.min(untilExplicit, requireExplicit)
    }
    const inhibit = inhibitAnyPolicy(certificate)
    if (typeof inhibit === 'number') untilNoAny = Math.min(untilNoAny, inhibit)
    if (untilExplicit === 0 && valid.size === 0) {
      return [{ word: 'attestation_certificate_policy_missing', received: showName(certificate.subject) }]
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
