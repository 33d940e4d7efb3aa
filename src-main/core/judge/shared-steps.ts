import type { FailureWord } from '../contract/judge/failure-words.ts'
import type { StepId } from '../contract/judge/steps.ts'
import type { Place } from '../contract/judge/verdict.ts'
import { type Bytes, equalBytes, toBase64url, toHex, utf8 } from '../protocol/bytes.ts'
import { isObject } from '../protocol/json.ts'
import { type AuthenticatorData, fixedFields } from './authenticator-data.ts'
import { fromAnyBase64 } from './base64.ts'
import type { Expectations } from './ceremony-case.ts'
import type { Finding } from './check-list.ts'
import { type ClientData, type ClientDataMember, decodeClientDataText, parseClientData } from './client-data.ts'
import type { JudgeCrypto } from './crypto-port.ts'
import { describeChoice, type FlagName, NO_EVIDENCE, showBytes, showFlag, showValue } from './describe.ts'
import { type ExtensionCase, judgeExtensionOutputs } from './extension-outputs.ts'
import { ownMember } from './response-json.ts'
import type { Ledger } from './verdict.ts'

/** Step ids; each ceremony has its own, in the same order. */
type ClientDataSteps<Id> = readonly [text: Id, json: Id, type: Id, challenge: Id, origin: Id, frame: Id, page: Id]

/** WebAuthn §7.1 steps 5–11, which are §7.2 steps 8–14. */
export const judgeClientData = <Id extends StepId>(
  bytes: Bytes,
  ceremony: {
    readonly ledger: Ledger<Id>
    readonly steps: ClientDataSteps<Id>
    readonly expected: Expectations & { readonly type: string; readonly challenge: string }
  },
): void => {
  const { ledger, expected } = ceremony
  const [textStep, jsonStep, typeStep, challengeStep, originStep, frameStep, pageStep] = ceremony.steps
  const text = decodeClientDataText(bytes)
  ledger.settle(textStep, text.findings)
  if (text.value === undefined) return
  const parsed = parseClientData(bytes, text.value)
  const clientData = parsed.value
  ledger.settle(jsonStep, clientData ? [...parsed.findings, ...tokenBinding(clientData, expected)] : parsed.findings)
  if (clientData === undefined) return

  const settle = (step: Id, name: string, check: (member: ClientDataMember | undefined) => Finding | undefined) => {
    const member = clientData.get(name)
    const finding = check(member)
    const at = member && placeOf(member)
    const received = showValue(member?.value)
    ledger.settle(step, finding ? [{ received, ...(at && { at }), ...finding }] : [], { ...(at && { at, received }) })
  }
  settle(typeStep, 'type', (member) =>
    oneOf(member, { wanted: [expected.type], missing: 'type_missing', mismatch: 'type_mismatch' }),
  )
  settle(challengeStep, 'challenge', (member) => challenge(member, expected.challenge))
  settle(originStep, 'origin', (member) =>
    oneOf(member, { wanted: expected.origins, missing: 'origin_missing', mismatch: 'origin_mismatch' }),
  )
  settle(frameStep, 'crossOrigin', (member) => crossOrigin(member, expected))
  settle(pageStep, 'topOrigin', (member) =>
    topOrigin(member, { ...expected, isCrossOrigin: clientData.get('crossOrigin')?.value === true }),
  )
}

const placeOf = ({ start, end }: ClientDataMember): Place => ({ part: 'clientDataJSON', start, end })

const oneOf = (
  member: ClientDataMember | undefined,
  rule: { readonly wanted: readonly string[]; readonly missing: FailureWord; readonly mismatch: FailureWord },
): Finding | undefined => {
  const expected = describeChoice(rule.wanted)
  if (typeof member?.value !== 'string') return { word: rule.missing, expected }
  return rule.wanted.includes(member.value) ? undefined : { word: rule.mismatch, expected }
}

const challenge = (member: ClientDataMember | undefined, wanted: string): Finding | undefined => {
  const expected = JSON.stringify(wanted)
  if (typeof member?.value !== 'string') return { word: 'challenge_missing', expected }
  if (member.value === wanted) return undefined
  return { word: respell(member.value) === wanted ? 'challenge_encoding' : 'challenge_mismatch', expected }
}

/** The same octets in base64url without padding, if the text is another form of base64. */
const respell = (text: string): string | undefined => {
  const bytes = fromAnyBase64(text)
  return bytes === undefined ? undefined : toBase64url(bytes)
}

const crossOrigin = (member: ClientDataMember | undefined, { topOrigins = [] }: Expectations): Finding | undefined => {
  if (member === undefined || member.value === false) return undefined
  if (member.value !== true) return { word: 'cross_origin_malformed', expected: { code: 'true_or_false' } }
  return topOrigins.length > 0 ? undefined : { word: 'cross_origin_not_allowed', expected: 'false' }
}

const topOrigin = (
  member: ClientDataMember | undefined,
  { topOrigins = [], isCrossOrigin }: Expectations & { readonly isCrossOrigin: boolean },
): Finding | undefined => {
  if (member === undefined) return undefined
  if (typeof member.value !== 'string') return { word: 'top_origin_malformed', expected: { code: 'text' } }
  if (!isCrossOrigin) return { word: 'top_origin_without_cross_origin', expected: { code: 'nothing_or_cross_origin' } }
  if (topOrigins.length === 0) return { word: 'cross_origin_not_allowed', expected: NO_EVIDENCE }
  if (topOrigins.includes(member.value)) return undefined
  return { word: 'top_origin_mismatch', expected: describeChoice(topOrigins) }
}

/** WebAuthn §5.8.1: tokenBinding is reserved since Level 3, so only its form from Level 2 is accepted. */
const tokenBinding = (clientData: ClientData, { relaxed }: Expectations): readonly Finding[] => {
  const member = clientData.get('tokenBinding')
  if (member === undefined || relaxed?.includes('token-binding')) return []
  const status = isObject(member.value) ? ownMember(member.value, 'status') : undefined
  const id = isObject(member.value) ? ownMember(member.value, 'id') : undefined
  if (status === 'supported' && (id === undefined || typeof id === 'string')) return []
  if (status === 'present' && typeof id === 'string') return []
  const expected = { code: 'token_binding' } as const
  return [{ word: 'token_binding_malformed', expected, received: showValue(member.value), at: placeOf(member) }]
}

type FlagSteps<Id> = Readonly<Record<'rpIdHash' | 'userPresence' | 'userVerification' | 'backup', Id>>

const inData = (field: { start: number; end: number }): Place => ({ part: 'authenticatorData', ...field })
const FLAGS = inData(fixedFields.flags)

/** Makes the finding that a flag does not have the value `wanted`. */
export const flagFinding = (word: FailureWord, flag: FlagName, wanted: boolean): Finding => {
  const [expected, received] = [showFlag(flag, wanted), showFlag(flag, !wanted)]
  return { word, expected, received }
}

/** WebAuthn §7.1 steps 14–17, which are §7.2 steps 15–18. */
export const judgeFlags = async <Id extends StepId>(
  { rpIdHash, flags }: AuthenticatorData,
  ceremony: {
    readonly ledger: Ledger<Id>
    readonly steps: FlagSteps<Id>
    readonly rpId: string
    readonly verificationRequired: boolean
    readonly crypto: JudgeCrypto
  },
): Promise<void> => {
  const { ledger, steps, rpId, verificationRequired, crypto } = ceremony
  const hash: Bytes = await crypto.digest('SHA-256', utf8(rpId))
  const named = { expected: `${toHex(hash)} (${rpId})`, received: showBytes(rpIdHash) }
  const at = inData(fixedFields.rpIdHash)
  ledger.settle(steps.rpIdHash, equalBytes(hash, rpIdHash) ? [] : [{ word: 'rp_id_hash_mismatch' }], { ...named, at })

  const settle = (step: Id, fits: boolean, finding: Finding): void =>
    ledger.settle(step, fits ? [] : [finding], { at: FLAGS })
  settle(steps.userPresence, flags.userPresent, flagFinding('user_presence_missing', 'UP', true))
  if (verificationRequired) {
    settle(steps.userVerification, flags.userVerified, flagFinding('user_verification_missing', 'UV', true))
  } else ledger.skip(steps.userVerification, 'verification_not_required')
  const expected = { code: 'backup_state_not_set' } as const
  const backup: Finding = { word: 'backup_state_invalid', expected, received: showFlag('BS', true) }
  settle(steps.backup, flags.backupEligible || !flags.backupState, backup)
}

/** WebAuthn §7.1 step 28, which is §7.2 step 23. Without any output there is nothing to judge. */
export const judgeExtensions = <Id extends StepId>(
  extensions: ExtensionCase,
  { ledger, step }: { readonly ledger: Ledger<Id>; readonly step: Id },
): void => {
  if (extensions.authenticatorData.extensions === undefined && Object.keys(extensions.results).length === 0) {
    ledger.pass(step, { note: 'outputs_kept' })
  } else {
    const { checks, ...detail } = judgeExtensionOutputs(extensions)
    ledger.settleChecks(step, checks, detail)
  }
}
