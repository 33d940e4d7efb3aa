import { REGISTRATION_STEPS, type RegistrationStep } from '../contract/judge/steps.ts'
import { type Bytes, toBase64url } from '../protocol/bytes.ts'
import { algorithmName } from './algorithms.ts'
import type { AttestationOutcome } from './attestation/format.ts'
import { type AttestationObject, decodeAttestationObject } from './attestation-object.ts'
import { type AuthenticatorData, decodeAuthenticatorData } from './authenticator-data.ts'
import type { RegisteredCredential, RegistrationCase } from './ceremony-case.ts'
import type { CoseKey } from './cose-key.ts'
import type { JudgeCrypto } from './crypto-port.ts'
import { countBytes, showFlag } from './describe.ts'
import type { Finding } from './finding.ts'
import { judgeStatement, judgeTrust } from './judge-attestation.ts'
import { judgeClientData } from './judge-client-data.ts'
import { judgeFlags } from './judge-flags.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { agreementFindings, parseRegistrationJson, type RegistrationJson } from './registration-json.ts'
import { formatUuid } from './uuid.ts'
import { type DecodedCeremony, reachVerdict, type Verdict } from './verdict.ts'

const CLIENT_DATA_STEPS = {
  text: '7.1.5',
  json: '7.1.6',
  type: '7.1.7',
  challenge: '7.1.8',
  origin: '7.1.9',
  crossOrigin: '7.1.10',
  topOrigin: '7.1.11',
} as const

const FLAG_STEPS = {
  rpIdHash: '7.1.14',
  userPresence: '7.1.15',
  userVerification: '7.1.16',
  backup: '7.1.17',
} as const

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
  const clientData =
    answer.clientDataJSON && judgeClientData(answer.clientDataJSON, { ledger, steps: CLIENT_DATA_STEPS, expected })
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
  const trusted = outcome ? await judgeTrust(outcome, { input, crypto, ledger }) : false

  const credentialId = authenticatorData?.attested?.credentialId
  if (credentialId) {
    ledger.settle('7.1.25', credentialIdFindings(credentialId), { received: countBytes(credentialId.length) })
    ledger.settle('7.1.26', await noveltyFindings(credentialId, input))
  }
  if (authenticatorData) ledger.settle('7.1.27', agreementFindings(answer, authenticatorData))
  if (answer.clientExtensionResults && authenticatorData) {
    ledger.pass('7.1.28', { note: 'outputs_kept' })
  }

  const decoded: DecodedCeremony = {
    ...(clientData && { clientData }),
    ...(attestationObject && { attestationObject }),
    ...(authenticatorData && { authenticatorData }),
    ...(key && { algorithm: key.algorithm }),
  }
  if (ledger.failed()) {
    ledger.skip('7.1.29', 'earlier_failure')
    return reachVerdict<RegisteredCredential>(ledger, { decoded, value: undefined })
  }
  ledger.pass('7.1.29')
  return reachVerdict<RegisteredCredential>(ledger, {
    decoded,
    value: record({ answer, attestationObject, authenticatorData, outcome, trusted }),
  })
}

const decodeAttested = (answer: RegistrationJson, input: RegistrationCase, ledger: Ledger<RegistrationStep>) => {
  if (answer.attestationObject === undefined) return {}
  const object = decodeAttestationObject(answer.attestationObject, input.switches)
  const bytes = object.value?.authenticatorData
  const data = bytes && decodeAuthenticatorData(bytes, input.switches)
  const findings = [...object.findings, ...(data?.findings ?? [])]
  if (data?.value && !data.value.flags.attestedCredentialData) {
    const at = { part: 'authenticatorData', start: 32, end: 33 } as const
    findings.push({
      word: 'attested_credential_data_missing',
      expected: showFlag('AT', true),
      received: showFlag('AT', false),
      at,
    })
  }
  ledger.settle('7.1.13', findings, { ...(object.value?.format && { received: object.value.format }) })
  return {
    ...(object.value && { attestationObject: object.value }),
    ...(data?.value && { authenticatorData: data.value }),
  }
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
  return length > LONGEST_CREDENTIAL_ID
    ? [
        {
          word: 'credential_id_too_long',
          expected: { code: 'bytes_at_most', params: { count: LONGEST_CREDENTIAL_ID } },
        },
      ]
    : []
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
  const attested = authenticatorData?.attested
  if (!(attested?.key && attested.publicKey && attestationObject?.format && outcome)) return undefined
  const { flags, signCount } = authenticatorData ?? {}
  if (flags === undefined || signCount === undefined) return undefined
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
