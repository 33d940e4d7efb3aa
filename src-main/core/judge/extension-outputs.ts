import type { CheckName } from '../contract/judge/checks.ts'
import type { Evidence, MemberType } from '../contract/judge/evidence.ts'
import type { FailureWord } from '../contract/judge/failure-words.ts'
import { base64urlBytes } from '../protocol/bytes.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import type { CreationOptionsJson } from '../protocol/webauthn-json.ts'
import type { AuthenticatorData } from './authenticator-data.ts'
import type { CborItem } from './cbor.ts'
import { createCheckList, type Finding, type StepDetail } from './check-list.ts'
import { countBytes, describeChoice, member, NO_EVIDENCE, showValue } from './describe.ts'
import { ownMember } from './response-json.ts'

export type ExtensionCase = {
  /** Undefined in an authentication. */
  readonly creation?: CreationOptionsJson
  readonly inputs: JsonObject | undefined
  /** Chooses among the inputs of prf. */
  readonly credentialId: string | undefined
  readonly results: JsonObject
  readonly authenticatorData: AuthenticatorData
}

/**
 * WebAuthn §7.1 step 28 and §7.2 step 23. An output of an extension that the options ask for must fit its inputs. Any
 * other output only leads to a note, since clients MAY send outputs that no RP asked for.
 */
export const judgeExtensionOutputs = (given: ExtensionCase): StepDetail & Required<Pick<StepDetail, 'checks'>> => {
  const asked = given.inputs ?? {}
  const client = new Map(Object.entries(given.results))
  const authenticator = new Map(
    given.authenticatorData.extensions?.entries.flatMap(({ key, value }) =>
      key.type === 'text' ? [[key.value, value] as const] : [],
    ),
  )
  const outputs: Outputs = { ...given, asked, client, authenticator }
  const list = createCheckList()
  for (const [name, [check, judge]] of Object.entries(OF_CLIENT)) {
    const value = client.get(name)
    if (value === undefined || !isAsked(name, asked)) continue
    list.settle(check, isObject(value) ? judge(value, outputs) : [malformed(name, 'object', shown(value))])
  }
  for (const [name, [check, judge]] of Object.entries(OF_AUTHENTICATOR)) {
    const item = authenticator.get(name)
    if (item === undefined || !isAsked(name, asked)) continue
    const at = { part: 'authenticatorData', start: item.start, end: item.end } as const
    list.settle(
      check,
      judge(item, outputs).map((each) => ({ ...each, at })),
    )
  }
  const checks = list.checks()
  if (checks.some(({ outcome }) => outcome === 'failed')) return { checks }
  const unasked = [...new Set([...client.keys(), ...authenticator.keys()])].filter((name) => !isAsked(name, asked))
  return unasked.length === 0
    ? { checks, note: 'outputs_kept' }
    : { checks, note: 'outputs_not_asked_for', received: showValue(unasked.join(', ')) }
}

type Outputs = ExtensionCase & {
  readonly asked: JsonObject
  readonly client: ReadonlyMap<string, unknown>
  readonly authenticator: ReadonlyMap<string, CborItem>
}

type Findings = readonly Finding[]

/** Inputs that request an output with another name. */
const ASKED_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ['credProtect', ['credentialProtectionPolicy']],
  ['credBlob', ['credBlob', 'getCredBlob']],
  ['hmac-secret', ['prf', 'hmacCreateSecret', 'hmacGetSecret']],
  ['hmac-secret-mc', ['prf']],
])

const isAsked = (name: string, asked: JsonObject): boolean =>
  (ASKED_BY.get(name) ?? [name]).some((input) => (ownMember(asked, input) ?? false) !== false)

const finding = (word: FailureWord, expected: Evidence, received: Evidence): Finding => ({ word, expected, received })

const malformed = (name: string, type: MemberType, received: Evidence): Finding =>
  finding('extension_output_malformed', member(name, type), received)

/** Shows a value, but no text, because it may be a secret of prf or largeBlob. */
const shown = (value: unknown): Evidence => (typeof value === 'string' ? { code: 'text' } : showValue(value))

const notBoolean = (name: string, value: unknown): Findings =>
  value === undefined || typeof value === 'boolean' ? [] : [malformed(name, 'boolean', shown(value))]

const inputsOf = (name: string, { asked }: Outputs): JsonObject => {
  const inputs = ownMember(asked, name)
  return isObject(inputs) ? inputs : {}
}

/** Findings for members that the inputs do not allow. Their values may be secrets and are left out. */
const unexpected = (word: FailureWord, names: readonly (readonly [name: string, present: boolean])[]): Findings =>
  names.filter(([, present]) => present).map(([name]) => finding(word, NO_EVIDENCE, name))

/** WebAuthn §10.1.3. `true` without `required` is valid: some authenticators make every credential discoverable. */
const judgeCredProps = ({ rk }: JsonObject, { creation }: Outputs): Findings => {
  const { residentKey, requireResidentKey } = creation?.authenticatorSelection ?? {}
  const isRequired = residentKey === undefined ? requireResidentKey === true : residentKey === 'required'
  if (rk === false && isRequired) return [finding('resident_key_contradicted', 'rk: true', 'rk: false')]
  return notBoolean('credProps.rk', rk)
}

// WebAuthn §10.1.4: a PRF maps to 32 bytes.
const PRF_BYTES = 32

const judgePrf = ({ enabled, results }: JsonObject, outputs: Outputs): Findings => {
  const { creation, credentialId } = outputs
  const { eval: forAll, evalByCredential } = inputsOf('prf', outputs)
  const own =
    isObject(evalByCredential) && credentialId !== undefined ? ownMember(evalByCredential, credentialId) : undefined
  const inputs = own ?? forAll
  const wrong: Finding[] = []
  if (creation === undefined) wrong.push(...unexpected('prf_contradicted', [['prf.enabled', enabled !== undefined]]))
  else if (typeof enabled !== 'boolean') wrong.push(malformed('prf.enabled', 'boolean', shown(enabled)))
  if (results === undefined) return wrong
  if (!isObject(results)) return [...wrong, malformed('prf.results', 'object', shown(results))]
  if (!isObject(inputs) || enabled === false) {
    return [...wrong, ...unexpected('prf_contradicted', [['prf.results', true]])]
  }
  for (const name of ['first', 'second'] as const) {
    const value = results[name]
    const bytes = base64urlBytes(value)
    if (name === 'second' && inputs.second === undefined) {
      wrong.push(...unexpected('prf_contradicted', [['prf.results.second', value !== undefined]]))
    } else if (bytes === undefined) wrong.push(malformed(`prf.results.${name}`, 'base64url', shown(value)))
    else if (bytes.length !== PRF_BYTES) {
      wrong.push(finding('prf_output_length', countBytes(PRF_BYTES), countBytes(bytes.length)))
    }
  }
  return wrong
}

/** WebAuthn §10.1.5. */
const judgeLargeBlob = ({ supported, written, blob }: JsonObject, outputs: Outputs): Findings => {
  const { support, read, write } = inputsOf('largeBlob', outputs)
  const isSignIn = outputs.creation === undefined
  if (support === 'required' && supported === false) {
    return [finding('large_blob_contradicted', 'supported: true', 'supported: false')]
  }
  return [
    ...unexpected('large_blob_contradicted', [
      ['largeBlob.supported', isSignIn && supported !== undefined],
      ['largeBlob.written', written !== undefined && (!isSignIn || write === undefined)],
      ['largeBlob.blob', blob !== undefined && (!isSignIn || read !== true)],
    ]),
    ...notBoolean('largeBlob.supported', supported),
    ...notBoolean('largeBlob.written', written),
    ...(blob === undefined || base64urlBytes(blob) !== undefined
      ? []
      : [malformed('largeBlob.blob', 'base64url', shown(blob))]),
  ]
}

/** CTAP 2.1 §12.5: 32 bytes for each salt, encrypted by PIN/UV protocol one, or by two with its IV of 16 bytes. */
const SECRET_BYTES = [32, 48, 64, 80]

const judgeHmacSecret = (item: CborItem, { creation, client }: Outputs): Findings => {
  if (creation === undefined) {
    if (item.type !== 'bytes') return [malformed('hmac-secret', 'bytes', item.type)]
    return SECRET_BYTES.includes(item.value.length)
      ? []
      : [finding('prf_output_length', describeChoice(SECRET_BYTES.map(String)), countBytes(item.value.length))]
  }
  if (item.type !== 'simple' || typeof item.value !== 'boolean') return [malformed('hmac-secret', 'boolean', item.type)]
  const prf = client.get('prf')
  const enabled = isObject(prf) ? prf.enabled : undefined
  return typeof enabled !== 'boolean' || enabled === item.value
    ? []
    : [finding('prf_contradicted', `hmac-secret: ${enabled}`, `hmac-secret: ${item.value}`)]
}

/** CTAP 2.1 §12.1, by level. */
const POLICIES: readonly unknown[] = [
  'userVerificationOptional',
  'userVerificationOptionalWithCredentialIDList',
  'userVerificationRequired',
]

const judgeCredProtect = (item: CborItem, { asked }: Outputs): Findings => {
  const level = item.type === 'integer' ? Number(item.value) : 0
  if (POLICIES[level - 1] === undefined) return [malformed('credProtect', 'number', item.type)]
  const least = POLICIES.indexOf(asked.credentialProtectionPolicy) + 1
  return level < least
    ? [finding('credential_protection_weaker', `credProtect: ${least}`, `credProtect: ${level}`)]
    : []
}

/** CTAP 2.1 §12.4 and §6.4: a PIN has 4 code points or more and, in UTF-8, 63 bytes or fewer. */
const judgeMinPinLength = (item: CborItem): Findings =>
  item.type === 'integer' && item.value >= 4 && item.value <= 63
    ? []
    : [malformed('minPinLength', 'number', item.type === 'integer' ? String(item.value) : item.type)]

type Table<Output> = Readonly<Record<string, readonly [CheckName, (output: Output, outputs: Outputs) => Findings]>>

/** Checked in this order. A missing output passes, since a client may ignore any extension. */
const OF_CLIENT: Table<JsonObject> = {
  credProps: ['cred_props_output', judgeCredProps],
  prf: ['prf_output', judgePrf],
  largeBlob: ['large_blob_output', judgeLargeBlob],
}

const OF_AUTHENTICATOR: Table<CborItem> = {
  'hmac-secret': ['hmac_secret_output', judgeHmacSecret],
  credProtect: ['cred_protect_output', judgeCredProtect],
  minPinLength: ['min_pin_length_output', judgeMinPinLength],
}
