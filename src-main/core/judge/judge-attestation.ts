import type { RegistrationStep } from '../contract/judge/steps.ts'
import { type Bytes, equalBytes } from '../protocol/bytes.ts'
import type { AttestationOutcome } from './attestation/format.ts'
import { attestationFormats, findAttestationFormat, verifyCompound } from './attestation/formats.ts'
import { type AttestationObject, COMPOUND } from './attestation-object.ts'
import type { AuthenticatorData } from './authenticator-data.ts'
import type { RegistrationCase } from './ceremony-case.ts'
import { type Certificate, decodeCertificate, nameText, showName } from './certificate.ts'
import { checkChain } from './certificate-chain.ts'
import { type Bench, linkFinding, validity } from './certificate-link.ts'
import type { JudgeCrypto } from './crypto-port.ts'
import type { Finding } from './finding.ts'
import type { Ledger } from './ledger.ts'

/** §7.1 steps 21 and 22: whether the statement verifies. */
export const judgeStatement = async (ceremony: {
  readonly input: RegistrationCase
  readonly attestationObject: AttestationObject | undefined
  readonly authenticatorData: AuthenticatorData | undefined
  readonly clientDataHash: Bytes | undefined
  readonly crypto: JudgeCrypto
  readonly ledger: Ledger<RegistrationStep>
}): Promise<AttestationOutcome | undefined> => {
  const { input, attestationObject, authenticatorData, clientDataHash, crypto, ledger } = ceremony
  const { format, statement, statements } = attestationObject ?? {}
  if (format === undefined) return undefined
  const verify = format === COMPOUND ? undefined : findAttestationFormat(format)
  const unknown: Finding = { word: 'attestation_format_unsupported', expected: attestationFormats.join(', ') }
  ledger.settle('7.1.21', verify || format === COMPOUND ? [] : [unknown], { received: format })
  const attested = authenticatorData?.attested
  const key = attested?.key
  if (!(authenticatorData && attested && key && clientDataHash)) return undefined
  const common = {
    authenticatorData: { ...authenticatorData, attested: { ...attested, key } },
    clientDataHash,
    now: input.now,
    crypto,
    switches: input.switches ?? {},
  }
  const outcome =
    verify && statement
      ? await verify({ ...common, statement })
      : statements && (await verifyCompound(statements, common))
  if (outcome === undefined) return undefined
  ledger.settleChecks('7.1.22', outcome.checks, { received: format })
  return outcome.checks.some((check) => check.outcome === 'failed') ? undefined : outcome
}

/** §7.1 steps 23 and 24: returns whether the attestation leads to a root. */
export const judgeTrust = async (
  outcome: AttestationOutcome,
  ceremony: {
    readonly input: RegistrationCase
    readonly crypto: JudgeCrypto
    readonly ledger: Ledger<RegistrationStep>
  },
): Promise<boolean> => {
  const { input, crypto, ledger } = ceremony
  const required = input.attestation === 'require-trusted'
  if (outcome.type === 'none' || outcome.type === 'self') {
    ledger.skip('7.1.23', 'no_certificates')
    const word = outcome.type === 'none' ? 'attestation_none_refused' : 'attestation_self_refused'
    ledger.settle('7.1.24', required ? [{ word }] : [], { received: outcome.type })
    return false
  }
  const roots = input.roots.map((root) => decodeCertificate(root)).filter((root) => root.ok)
  ledger.pass('7.1.23', { received: { code: 'roots', params: { count: roots.length } } })
  const bench = { now: input.now, crypto }
  const anchors = roots.map((root) => root.value)
  const path = await trustedPath(outcome, anchors, bench)
  const list = await checkChain(path, { roots: anchors, required }, bench)
  const findings = await trustFindings(path, anchors, bench)
  const trusted = findings.length === 0
  if (required) list.settle('chain_reaches_root', findings)
  const note = trusted ? 'trusted_root' : 'untrusted_root_accepted'
  ledger.settleChecks('7.1.24', list.checks(), required ? { received: outcome.type } : { received: outcome.type, note })
  return trusted
}

/** Of a compound statement the first path that leads to a root; else the one path, or the first. */
const trustedPath = async (
  outcome: AttestationOutcome,
  anchors: readonly Certificate[],
  bench: Bench,
): Promise<readonly Certificate[]> => {
  for (const { trustPath } of outcome.others === undefined ? [] : [outcome, ...outcome.others]) {
    if (trustPath.length > 0 && (await trustFindings(trustPath, anchors, bench)).length === 0) return trustPath
  }
  return outcome.trustPath
}

/**
 * Why the path ends at none of the roots; nothing when it does. Any certificate of it may be a root or be issued by one:
 * a chain can bring its root along, or one that another authority has signed as well.
 */
const trustFindings = async (
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
