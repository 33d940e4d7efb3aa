import { AUTHENTICATION_STEPS, type AuthenticationStep } from '../contract/judge/steps.ts'
import type { RelaxedRules } from '../contract/profile.ts'
import { type Bytes, concat, toBase64url } from '../protocol/bytes.ts'
import { withoutUndefined } from '../protocol/json.ts'
import { rememberByObject } from '../protocol/remember.ts'
import { algorithmName, describeKey } from './algorithms.ts'
import { type AuthenticatorData, decodeAuthenticatorData, fixedFields } from './authenticator-data.ts'
import { type CborDecoded, decodeCbor, irregularityFindings } from './cbor.ts'
import type { AuthenticatedCredential, AuthenticationCase, StoredCredential } from './ceremony-case.ts'
import type { Finding } from './check-list.ts'
import { type CoseKey, decodeCoseKey } from './cose-key.ts'
import type { JudgeCrypto } from './crypto-port.ts'
import { showValue } from './describe.ts'
import { type AuthenticationJson, parseAuthenticationJson } from './response-json.ts'
import { flagFinding, judgeClientData, judgeExtensions, judgeFlags } from './shared-steps.ts'
import { verifySignature } from './signature.ts'
import { createLedger, type Ledger, reachVerdict, type Verdict } from './verdict.ts'

const CLIENT_DATA_STEPS = ['7.2.8', '7.2.9', '7.2.10', '7.2.11', '7.2.12', '7.2.13', '7.2.14'] as const

const FLAG_STEPS = { rpIdHash: '7.2.15', userPresence: '7.2.16', userVerification: '7.2.17', backup: '7.2.18' } as const

const FLAGS = { part: 'authenticatorData', ...fixedFields.flags } as const
const SIGN_COUNT = { part: 'authenticatorData', ...fixedFields.signCount } as const

export const judgeAuthentication = async (
  input: AuthenticationCase,
  crypto: JudgeCrypto,
): Promise<Verdict<AuthenticatedCredential>> => {
  const ledger = createLedger(AUTHENTICATION_STEPS)
  const { options } = input
  ledger.pass('7.2.1')
  const answer = parseAuthenticationJson(input.response)
  ledger.settle('7.2.2', answer.envelope)
  ledger.settle('7.2.3', answer.members)
  ledger.settle('7.2.4', answer.extensions)
  judgeAllowed(answer, input, ledger)
  const stored = await judgeOwner(answer, input, ledger)
  const authenticatorData = judgeAuthenticatorData(answer, input, ledger)

  const expected = { ...input, type: 'webauthn.get', challenge: options.challenge }
  if (answer.clientDataJSON) judgeClientData(answer.clientDataJSON, { ledger, steps: CLIENT_DATA_STEPS, expected })
  if (authenticatorData) {
    const verificationRequired = options.userVerification === 'required'
    await judgeFlags(authenticatorData, { ledger, steps: FLAG_STEPS, rpId: input.rpId, verificationRequired, crypto })
  }
  if (authenticatorData && stored) {
    ledger.settle('7.2.19', eligibilityFindings(authenticatorData, stored), { at: FLAGS })
  }
  const clientDataHash = answer.clientDataJSON && (await crypto.digest('SHA-256', answer.clientDataJSON))
  if (clientDataHash) ledger.pass('7.2.20')

  if (stored && answer.signature && answer.authenticatorData && clientDataHash) {
    const key = decodeStoredKey(stored, input.relaxed)
    const data = concat(answer.authenticatorData, clientDataHash)
    const findings = key
      ? await signatureFindings({ algorithm: key.algorithm, key: key.key, data, signature: answer.signature }, crypto)
      : [{ word: 'stored_key_malformed' } as const]
    ledger.settle('7.2.21', findings, {
      ...(key && { received: `${algorithmName(key.algorithm)}, ${describeKey(key.key)}` }),
    })
  }
  if (authenticatorData && stored) judgeCounter(authenticatorData, stored, input, ledger)
  if (answer.clientExtensionResults && authenticatorData) {
    const { id: credentialId, clientExtensionResults: results } = answer
    const given = { inputs: options.extensions, credentialId, results, authenticatorData }
    judgeExtensions(given, { ledger, step: '7.2.23' })
  }

  ledger.conclude('7.2.24', '7.2.25')
  return reachVerdict(ledger, {
    decoded: withoutUndefined({ authenticatorData, algorithm: stored?.algorithm }),
    value: outcome(answer, authenticatorData),
  })
}

const judgeAllowed = (answer: AuthenticationJson, input: AuthenticationCase, ledger: Ledger<AuthenticationStep>) => {
  if (answer.id === undefined) return
  const allowed = input.options.allowCredentials ?? []
  if (allowed.length === 0) return ledger.skip('7.2.5', 'any_credential')
  const found = allowed.some(({ id }) => id === answer.id)
  const expected =
    allowed.length === 1 ? allowed[0]?.id : ({ code: 'one_of_credentials', params: { count: allowed.length } } as const)
  ledger.settle('7.2.5', found ? [] : [{ word: 'credential_not_allowed', ...(expected && { expected }) }], {
    received: answer.id,
  })
}

/** §7.2 step 6, first case: the user was identified before the ceremony began. */
const judgeOwner = async (
  answer: AuthenticationJson,
  input: AuthenticationCase,
  ledger: Ledger<AuthenticationStep>,
): Promise<StoredCredential | undefined> => {
  if (answer.id === undefined) return undefined
  const stored = await input.credential(answer.id)
  const findings: Finding[] = []
  if (stored === undefined) findings.push({ word: 'credential_unknown', received: answer.id })
  else if (stored.userHandle !== input.expectedUserHandle) {
    const { userHandle: received } = stored
    findings.push({ word: 'credential_of_another_user', expected: input.expectedUserHandle, received })
  }
  const handle = answer.userHandle && toBase64url(answer.userHandle)
  if (handle !== undefined && handle !== input.expectedUserHandle) {
    const at = { part: 'userHandle', start: 0, end: answer.userHandle?.length ?? 0 } as const
    findings.push({ word: 'user_handle_mismatch', expected: input.expectedUserHandle, received: showValue(handle), at })
  }
  ledger.settle('7.2.6', findings)
  return stored
}

const judgeAuthenticatorData = (
  answer: AuthenticationJson,
  input: AuthenticationCase,
  ledger: Ledger<AuthenticationStep>,
): AuthenticatorData | undefined => {
  if (answer.authenticatorData === undefined) return undefined
  const data = decodeAuthenticatorData(answer.authenticatorData, input.relaxed)
  // WebAuthn §6.1: for assertion signatures, AT must not be set.
  const unexpected = { ...flagFinding('attested_credential_data_unexpected', 'AT', false), at: FLAGS }
  ledger.settle('7.2.7', data.value?.flags.attestedCredentialData ? [unexpected, ...data.findings] : data.findings)
  return data.value
}

const eligibilityFindings = ({ flags }: AuthenticatorData, stored: StoredCredential): readonly Finding[] => {
  if (flags.backupEligible === stored.backupEligible) return []
  return [flagFinding('backup_eligibility_changed', 'BE', stored.backupEligible)]
}

/** A stored key is decoded as strictly as at registration: no extra member in it, no bytes after it. */
const decodeStoredKey = (stored: StoredCredential, relaxed: RelaxedRules = []): CoseKey | undefined => {
  const { item, key } = decodeKey(stored.publicKey)
  if (item === undefined || key?.algorithm !== stored.algorithm) return undefined
  return irregularityFindings(item, { part: 'authenticatorData', relaxed }).length === 0 ? key : undefined
}

/** Decodes a key only once if it stays in memory between two sign-ins. */
const decodeKey = rememberByObject((bytes: Bytes): { readonly item?: CborDecoded; readonly key?: CoseKey } => {
  const item = decodeCbor(bytes)
  if (!item.ok || item.value.end < bytes.length) return {}
  const { value: key, findings } = decodeCoseKey(item.value.item)
  return key === undefined || findings.length > 0 ? {} : { item: item.value, key }
})

const signatureFindings = async (
  check: Parameters<typeof verifySignature>[0],
  crypto: JudgeCrypto,
): Promise<readonly Finding[]> => {
  const at = { part: 'signature', start: 0, end: check.signature.length } as const
  const verdict = await verifySignature(check, crypto)
  switch (verdict.outcome) {
    case 'valid':
      return []
    case 'invalid':
      return [{ word: 'signature_invalid', at }]
    case 'unsupported':
      return [{ word: 'algorithm_unavailable', at }]
    case 'malformed':
      return [{ word: 'malformed_signature', expected: verdict.expected, received: verdict.received, at }]
  }
}

const judgeCounter = (
  { signCount }: AuthenticatorData,
  stored: StoredCredential,
  input: AuthenticationCase,
  ledger: Ledger<AuthenticationStep>,
) => {
  if (signCount === 0 && stored.signCount === 0) return ledger.skip('7.2.22', 'no_counter')
  const detail = {
    expected: { code: 'more_than', params: { count: stored.signCount } },
    received: String(signCount),
    at: SIGN_COUNT,
  } as const
  const regressed = signCount <= stored.signCount
  if (regressed && input.counterRegression === 'accept') {
    ledger.pass('7.2.22', { ...detail, note: 'regression_accepted' })
  } else ledger.settle('7.2.22', regressed ? [{ word: 'counter_regression' }] : [], detail)
}

const outcome = ({ id }: AuthenticationJson, data: AuthenticatorData | undefined) => {
  if (id === undefined || data === undefined) return undefined
  const { userVerified, backupEligible, backupState } = data.flags
  return { id, signCount: data.signCount, userVerified, backupEligible, backupState }
}
