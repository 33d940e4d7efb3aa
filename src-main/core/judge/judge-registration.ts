import { REGISTRATION_STEPS, type RegistrationStep } from '../contract/judge/steps.ts'
import { type Bytes, equalBytes, toBase64url } from '../protocol/bytes.ts'
import { withoutUndefined } from '../protocol/json.ts'
import { algorithmName } from './algorithms.ts'
import type { AttestationOutcome } from './attestation/format.ts'
import { attestationFormats, findAttestationFormat, verifyCompound } from './attestation/formats.ts'
import { type AttestationObject, COMPOUND, decodeAttestationObject } from './attestation-object.ts'
import { type AuthenticatorData, decodeAuthenticatorData } from './authenticator-data.ts'
import type { ModelMetadata, RegisteredCredential, RegistrationCase } from './ceremony-case.ts'
import { type Certificate, decodeCertificate, formatName, nameEvidence } from './certificate.ts'
import { type ChainContext, checkChain, type Link, linkFinding, validityFindings } from './certificate-chain.ts'
import type { Finding } from './check-list.ts'
import type { CoseKey } from './cose-key.ts'
import type { JudgeCrypto } from './crypto-port.ts'
import { countBytes, formatUuid } from './describe.ts'
import { agreementFindings, parseRegistrationJson, type RegistrationJson } from './response-json.ts'
import { flagFinding, judgeClientData, judgeExtensions, judgeFlags } from './shared-steps.ts'
import { createLedger, type Ledger, reachVerdict, type Verdict } from './verdict.ts'

const CLIENT_DATA_STEPS = ['7.1.5', '7.1.6', '7.1.7', '7.1.8', '7.1.9', '7.1.10', '7.1.11'] as const

const FLAG_STEPS = { rpIdHash: '7.1.14', userPresence: '7.1.15', userVerification: '7.1.16', backup: '7.1.17' } as const

// WebAuthn §7.1 step 25.
const LONGEST_CREDENTIAL_ID = 1023

export const judgeRegistration = async (
  input: RegistrationCase,
  crypto: JudgeCrypto,
): Promise<Verdict<RegisteredCredential>> => {
  const ledger = createLedger(REGISTRATION_STEPS)
  const { options } = input
  ledger.pass('7.1.1')
  const answer = parseRegistrationJson(input.response)
  ledger.settle('7.1.2', answer.envelope)
  ledger.settle('7.1.3', answer.members)
  ledger.settle('7.1.4', answer.extensions)

  const expected = { ...input, type: 'webauthn.create', challenge: options.challenge }
  if (answer.clientDataJSON) judgeClientData(answer.clientDataJSON, { ledger, steps: CLIENT_DATA_STEPS, expected })
  const clientDataHash = answer.clientDataJSON && (await crypto.digest('SHA-256', answer.clientDataJSON))
  if (clientDataHash) ledger.pass('7.1.12')

  const { attestationObject, authenticatorData } = decodeAttested(answer, input, ledger)
  if (authenticatorData) {
    const verificationRequired = options.authenticatorSelection?.userVerification === 'required'
    await judgeFlags(authenticatorData, { ledger, steps: FLAG_STEPS, rpId: input.rpId, verificationRequired, crypto })
    const { backupEligible, backupState } = authenticatorData.flags
    ledger.pass('7.1.18', { received: { code: backupEligible ? 'backup_eligible' : 'device_bound' } })
    ledger.pass('7.1.19', { received: { code: backupState ? 'backed_up' : 'not_backed_up' } })
  }
  const key = authenticatorData?.attested?.key
  if (key) ledger.settle('7.1.20', algorithmFindings(key, options.pubKeyCredParams))

  const outcome = await judgeStatement({ input, attestationObject, authenticatorData, clientDataHash, crypto, ledger })
  const attested = authenticatorData?.attested
  const model = attested && input.metadata?.get(formatUuid(attested.aaguid))
  const trusted = outcome ? await judgeTrust(outcome, { input, model, crypto, ledger }) : false

  const credentialId = attested?.credentialId
  if (credentialId) {
    ledger.settle('7.1.25', credentialIdFindings(credentialId), { received: countBytes(credentialId.length) })
    ledger.settle('7.1.26', await noveltyFindings(credentialId, input))
  }
  if (authenticatorData) ledger.settle('7.1.27', agreementFindings(answer, authenticatorData))
  if (answer.clientExtensionResults && authenticatorData) {
    const { id: credentialId, clientExtensionResults: results } = answer
    const given = { creation: options, inputs: options.extensions, credentialId, results, authenticatorData }
    judgeExtensions(given, { ledger, step: '7.1.28' })
  }

  ledger.conclude('7.1.29')
  return reachVerdict(ledger, {
    decoded: withoutUndefined({ authenticatorData, algorithm: key?.algorithm }),
    value: record({ answer, attestationObject, authenticatorData, outcome, trusted }),
  })
}

const decodeAttested = (answer: RegistrationJson, input: RegistrationCase, ledger: Ledger<RegistrationStep>) => {
  if (answer.attestationObject === undefined) return {}
  const object = decodeAttestationObject(answer.attestationObject, input.relaxed)
  const bytes = object.value?.authenticatorData
  const data = bytes && decodeAuthenticatorData(bytes, input.relaxed)
  const findings = [...object.findings, ...(data?.findings ?? [])]
  if (data?.value && !data.value.flags.attestedCredentialData) {
    const at = { part: 'authenticatorData', start: 32, end: 33 } as const
    findings.push({ ...flagFinding('attested_credential_data_missing', 'AT', true), at })
  }
  ledger.settle('7.1.13', findings, { ...(object.value?.format && { received: object.value.format }) })
  return { attestationObject: object.value, authenticatorData: data?.value }
}

const algorithmFindings = (
  { algorithm }: CoseKey,
  wanted: RegistrationCase['options']['pubKeyCredParams'],
): readonly Finding[] => {
  if (wanted.some(({ alg }) => alg === algorithm)) return []
  const expected = wanted.map(({ alg }) => algorithmName(alg)).join(', ')
  return [{ word: 'algorithm_not_requested', expected, received: algorithmName(algorithm) }]
}

const credentialIdFindings = ({ length }: Bytes): readonly Finding[] => {
  if (length === 0) return [{ word: 'credential_id_empty' }]
  const expected = { code: 'bytes_at_most', params: { count: LONGEST_CREDENTIAL_ID } } as const
  return length > LONGEST_CREDENTIAL_ID ? [{ word: 'credential_id_too_long', expected }] : []
}

const noveltyFindings = async (credentialId: Bytes, input: RegistrationCase): Promise<readonly Finding[]> => {
  const id = toBase64url(credentialId)
  const excluded = input.options.excludeCredentials?.some((descriptor) => descriptor.id === id)
  return excluded || (await input.credentialKnown(id)) ? [{ word: 'credential_already_registered', received: id }] : []
}

const record = (judged: {
  readonly answer: RegistrationJson
  readonly attestationObject: AttestationObject | undefined
  readonly authenticatorData: AuthenticatorData | undefined
  readonly outcome: AttestationOutcome | undefined
  readonly trusted: boolean
}): RegisteredCredential | undefined => {
  const { answer, attestationObject, authenticatorData, outcome, trusted } = judged
  if (authenticatorData === undefined) return undefined
  const { attested, flags, signCount } = authenticatorData
  if (!(attested?.key && attested.publicKey && attestationObject?.format && outcome)) return undefined
  return {
    id: toBase64url(attested.credentialId),
    publicKey: attested.publicKey.slice(),
    algorithm: attested.key.algorithm,
    signCount,
    userVerified: flags.userVerified,
    backupEligible: flags.backupEligible,
    backupState: flags.backupState,
    aaguid: formatUuid(attested.aaguid),
    transports: answer.transports,
    format: attestationObject.format,
    attestationType: outcome.type,
    trusted,
  }
}

type Ceremony = {
  readonly input: RegistrationCase
  readonly crypto: JudgeCrypto
  readonly ledger: Ledger<RegistrationStep>
}

type Statement = Ceremony & {
  readonly attestationObject: AttestationObject | undefined
  readonly authenticatorData: AuthenticatorData | undefined
  readonly clientDataHash: Bytes | undefined
}

/** §7.1 steps 21 and 22. */
const judgeStatement = async (ceremony: Statement): Promise<AttestationOutcome | undefined> => {
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
    relaxed: input.relaxed ?? [],
  }
  const outcome =
    verify && statement
      ? await verify({ ...common, statement })
      : statements && (await verifyCompound(statements, common))
  if (outcome === undefined) return undefined
  ledger.settleChecks('7.1.22', outcome.checks, { received: format })
  return outcome.checks.some((check) => check.outcome === 'failed') ? undefined : outcome
}

/** §7.1 steps 23 and 24. True if the attestation leads to a root. */
const judgeTrust = async (
  outcome: AttestationOutcome,
  ceremony: Ceremony & { readonly model: ReturnType<ModelMetadata['get']> },
): Promise<boolean> => {
  const { input, model, crypto, ledger } = ceremony
  const required = input.attestation === 'require-trusted'
  if (outcome.type === 'none' || outcome.type === 'self') {
    ledger.skip('7.1.23', 'no_certificates')
    const word = outcome.type === 'none' ? 'attestation_none_refused' : 'attestation_self_refused'
    ledger.settle('7.1.24', required ? [{ word }] : [], { received: outcome.type })
    return false
  }
  const roots = [...input.roots, ...(model?.roots ?? [])]
    .map((root) => decodeCertificate(root))
    .filter((root) => root.ok)
  ledger.pass('7.1.23', { received: { code: 'roots', params: { count: roots.length } } })
  const bench = { now: input.now, crypto }
  const anchors = roots.map((root) => root.value)
  const path = await trustedPath(outcome, anchors, bench)
  const list = await checkChain(path, { roots: anchors, required }, bench)
  const findings = await trustFindings(path, anchors, bench)
  const trusted = findings.length === 0
  if (required) list.settle('chain_reaches_root', findings)
  if (required && model) {
    const reports = model.reports.filter(({ from }) => from <= input.now)
    list.settle(
      'model_trusted',
      reports.map(({ status }) => ({ word: 'attestation_model_revoked', received: status })),
    )
  }
  const note = trusted ? 'trusted_root' : 'untrusted_root_accepted'
  ledger.settleChecks('7.1.24', list.checks(), required ? { received: outcome.type } : { received: outcome.type, note })
  return trusted
}

/** In a compound statement, the first path that leads to a root; else the outcome's own. */
const trustedPath = async (outcome: AttestationOutcome, anchors: readonly Certificate[], bench: ChainContext) => {
  for (const { trustPath } of outcome.others === undefined ? [] : [outcome, ...outcome.others]) {
    if (trustPath.length > 0 && (await trustFindings(trustPath, anchors, bench)).length === 0) return trustPath
  }
  return outcome.trustPath
}

/**
 * Findings if the path leads to none of the roots; empty if it leads to one. Any certificate in the path may be a root
 * or be issued by one: a chain can contain its root, or a root that another authority has also signed.
 */
const trustFindings = async (
  chain: readonly Certificate[],
  roots: readonly Certificate[],
  bench: ChainContext,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = []
  for (const [below, certificate] of chain.entries()) {
    for (const root of roots) {
      const finding = await anchorFinding({ certificate, issuer: root, below, chain }, bench)
      if (finding === 'trusted') return []
      if (finding) findings.push(finding)
    }
  }
  const [dated] = findings.filter(({ word }) => DATED.has(word))
  return dated
    ? [dated]
    : [{ word: 'attestation_untrusted' }, ...(findings.length > 0 ? findings : unknownRoot(chain, roots))]
}

/** Words that are reported instead of `attestation_untrusted`, since they are more exact. */
const DATED: ReadonlySet<string> = new Set(['attestation_root_expired', 'attestation_root_not_yet_valid'])

/** Judges the link from a certificate to a root. Undefined if the certificate names another issuer. */
const anchorFinding = async (link: Link, bench: ChainContext): Promise<Finding | 'trusted' | undefined> => {
  const { certificate, issuer: root } = link
  const itself = equalBytes(certificate.bytes, root.bytes)
  if (!itself && !equalBytes(certificate.issuer.bytes, root.subject.bytes)) return undefined
  const [outOfForce] = validityFindings(root, bench.now, 'root')
  if (outOfForce) return outOfForce
  return (itself ? undefined : await linkFinding(link, bench)) ?? 'trusted'
}

const unknownRoot = (chain: readonly Certificate[], roots: readonly Certificate[]): readonly Finding[] => {
  const last = chain.at(-1)
  if (roots.length === 0 || last === undefined) return [{ word: 'attestation_roots_missing' }]
  const expected = roots.map((root) => formatName(root.subject)).join(' · ')
  return [{ word: 'attestation_root_unknown', expected, received: nameEvidence(last.issuer) }]
}
