import { describeKey } from '../../core/judge/algorithms.ts'
import { basicConstraints, type Certificate, EXTENSION, fidoAaguid, formatName } from '../../core/judge/certificate.ts'
import { verifyCertificate } from '../../core/judge/certificate-signature.ts'
import { formatUuid } from '../../core/judge/describe.ts'
import { equalBytes } from '../../core/protocol/bytes.ts'
import { isoTime } from '../../core/protocol/time.ts'
import { derParts } from './der-part.ts'
import {
  type Check,
  type Fact,
  factsIn,
  type InspectContext,
  type Recognised,
  UNAVAILABLE,
  withVerdict,
} from './inspection.ts'

/** In the order received: each should be signed by the next one, or be self-signed. */
export const inspectCertificates = async (
  chain: readonly Certificate[],
  bench: InspectContext,
): Promise<Recognised> => {
  const [leaf] = chain
  const checks: Check[] = []
  for (const [i, each] of chain.entries()) checks.push(...(await linkChecks(each, chain[i + 1], bench)))
  const judgedChecks = withVerdict(checks)
  return {
    kind: chain.length === 1 ? 'certificate' : 'certificate-chain',
    facts: chain.flatMap((each, i) =>
      factsOf(each).map(([name, value]): Fact => [chain.length === 1 ? name : `${i + 1}. ${name}`, value]),
    ),
    parts: leaf === undefined || chain.length > 1 ? [] : derParts(leaf.bytes),
    ...judgedChecks,
    missing: judgedChecks.verdict === undefined && chain.length === 1 ? ['certificate'] : [],
  }
}

const factsOf = (certificate: Certificate): readonly Fact[] => {
  const constraints = basicConstraints(certificate)
  const aaguid = fidoAaguid(certificate)
  return [
    ...factsIn({
      subject: formatName(certificate.subject) || { code: 'none' },
      issuer: formatName(certificate.issuer) || { code: 'none' },
      valid: { code: 'period', params: { from: isoTime(certificate.notBefore), to: isoTime(certificate.notAfter) } },
      'serial number': certificate.serialNumber,
      key: certificate.key === undefined ? { code: 'unknown_kind' } : describeKey(certificate.key),
      'may sign certificates': typeof constraints === 'object' ? { code: constraints.ca ? 'yes' : 'no' } : undefined,
      'for the AAGUID': aaguid instanceof Uint8Array ? formatUuid(aaguid) : undefined,
    }),
    ...factsIn({ has: certificate.extensions.has(EXTENSION.appleNonce) ? { code: 'apple_nonce' } : undefined }),
    ...factsIn({ has: certificate.extensions.has(EXTENSION.androidKey) ? { code: 'android_key' } : undefined }),
  ]
}

const linkChecks = async (
  certificate: Certificate,
  next: Certificate | undefined,
  bench: InspectContext,
): Promise<readonly Check[]> => {
  const { now, crypto, given } = bench
  const isNow = certificate.notBefore <= now && now <= certificate.notAfter
  const time: Check = {
    name: 'certificate_time',
    outcome: isNow ? 'passed' : 'failed',
    expected: `${isoTime(certificate.notBefore)} to ${isoTime(certificate.notAfter)}`,
    received: isoTime(now),
  }
  const isOwn = equalBytes(certificate.issuer.bytes, certificate.subject.bytes)
  const roots = given.roots ?? []
  const trusted = roots.some((root) => equalBytes(root, certificate.bytes))
  const issuer = next ?? (isOwn ? certificate : undefined)
  // A valid date proves nothing about a certificate whose signature cannot be checked.
  if (issuer?.key === undefined) return trusted ? [time] : isNow ? [] : [time]
  const { outcome } = await verifyCertificate(certificate, issuer.key, crypto)
  const signature: Check = {
    name: 'certificate_signature',
    ...(outcome === 'unsupported'
      ? { outcome: 'skipped', word: UNAVAILABLE }
      : { outcome: outcome === 'valid' ? 'passed' : 'failed' }),
    expected: formatName(issuer.subject),
  }
  return [time, signature]
}
