import { equalBytes } from '../protocol/bytes.ts'
import { type Certificate, nameText, showName } from './certificate.ts'
import { type Bench, linkFinding, validity } from './certificate-link.ts'
import type { Finding } from './finding.ts'

/**
 * Why the path ends at none of the roots; nothing when it does. Any certificate of it may be a root or be issued by one:
 * a chain can bring its root along, or one that another authority has signed as well.
 */
export const trustFindings = async (
  chain: readonly Certificate[],
  roots: readonly Certificate[],
  bench: Bench,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = []
  for (const [below, certificate] of chain.entries()) {
    for (const root of roots) {
      const finding = await anchorFinding({ certificate, root, below, chain }, bench)
      if (finding === 'trusted') return []
      if (finding) findings.push(finding)
    }
  }
  const [dated] = findings.filter(({ word }) => DATED.has(word))
  return dated
    ? [dated]
    : [{ word: 'attestation_untrusted' }, ...(findings.length > 0 ? findings : unknownRoot(chain, roots))]
}

/** These say more than that there is no trust, and are the refusal themselves. */
const DATED: ReadonlySet<string> = new Set(['attestation_root_expired', 'attestation_root_not_yet_valid'])

type Anchor = {
  readonly certificate: Certificate
  readonly root: Certificate
  readonly below: number
  readonly chain: readonly Certificate[]
}

const anchorFinding = async (
  { certificate, root, below, chain }: Anchor,
  bench: Bench,
): Promise<Finding | 'trusted' | undefined> => {
  const itself = equalBytes(certificate.bytes, root.bytes)
  if (!itself && !equalBytes(certificate.issuer.bytes, root.subject.bytes)) return undefined
  const [outOfForce] = validity(root, bench.now, 'root')
  if (outOfForce) return outOfForce
  return (itself ? undefined : await linkFinding({ certificate, issuer: root, below, chain }, bench)) ?? 'trusted'
}

const unknownRoot = (chain: readonly Certificate[], roots: readonly Certificate[]): readonly Finding[] => {
  const last = chain.at(-1)
  if (roots.length === 0 || last === undefined) return [{ word: 'attestation_roots_missing' }]
  return [
    {
      word: 'attestation_root_unknown',
      expected: roots.map((root) => nameText(root.subject)).join(' · '),
      received: showName(last.issuer),
    },
  ]
}
