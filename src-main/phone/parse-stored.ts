import { X509Certificate } from 'node:crypto'
import { ALGORITHMS } from '../authenticator/algorithms.ts'
import { CERTIFIED_FORMATS } from '../authenticator/attestation/attestation-authority.ts'
import { type PrivateKey, privateKeyObject } from '../authenticator/private-key.ts'
import type { Expected } from '../contract/expected.ts'
import { type FieldProblem, within } from '../contract/reasons.ts'
import { fromBase64url } from '../protocol/bytes.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Steps } from '../protocol/slices.ts'
import { CLOCK_END, DAY_MS } from '../protocol/time.ts'
import { checkFault } from './armed-faults.ts'
import { parseBehaviour } from './behaviour.ts'
import { isHeaderText } from './header-text.ts'
import { isModelName } from './model.ts'
import { isCredentialStorage } from './phone-state.ts'
import type { NewFault } from './phones-interface.ts'
import { checkSettings } from './settings.ts'
import type { StoredDocument, StoredWorkspace } from './storage/phone-storage.ts'

/** True of what fits; else false, or the path within it to what does not. */
type Check = (value: unknown) => boolean | string

const isText: Check = (value) =>
  typeof value === 'string' && value.length > 0 && value.length <= 4096 && value.isWellFormed()
const isFlag: Check = (value) => typeof value === 'boolean'
const isWhole =
  (least: number, most: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
/** Of the clock, and a day more for what is planned in its last moment. */
const isTime = isWhole(0, CLOCK_END + DAY_MS)
const isSeconds = isWhole(0, (CLOCK_END + DAY_MS) / 1000)
const isUuid: Check = (value) => typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
const isBase64url: Check = (value) => typeof value === 'string' && value !== '' && fromBase64url(value).ok
const allFit = (parts: readonly (readonly [path: string, check: Check, value: unknown])[]): boolean | string => {
  for (const [path, check, value] of parts) {
    const fits = check(value)
    if (fits !== true) return fits === false ? path : path + fits
  }
  return true
}
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && allFit(value.map((item, index) => [`[${index}]`, check, item]))
const shape =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && allFit(Object.entries(members).map(([key, check]) => [`.${key}`, check, value[key]]))
/** Without any other member: of the document itself, as against the JSON texts in it, which grow with the phones. */
const closedShape = (members: Readonly<Record<string, Check>>): Check => {
  const fits = shape(members)
  return (value) => {
    const stranger = isObject(value) ? Object.keys(value).find((key) => !Object.hasOwn(members, key)) : undefined
    return stranger === undefined ? fits(value) : `.${stranger}`
  }
}
const isTexts = listOf(isText)

const isString: Check = (value) => typeof value === 'string' && value.length <= 4096 && value.isWellFormed()
const isName: Check = (value) => typeof value === 'string' && checkSettings({ name: value }).ok
const isNumberText: Check = (value) =>
  typeof value === 'string' && checkSettings({ account: { name: 'any', phone: value } }).ok

const isPrivateKey: Check = (value) => {
  if (!isObject(value)) return false
  try {
    return privateKeyObject(value as PrivateKey).type === 'private'
  } catch {
    return false
  }
}

const isKnownAlgorithm: Check = (value) => Object.values(ALGORITHMS).some(({ cose }) => cose === value)

/** As it is armed, but counted down. */
const isArmedFault: Check = (value) => {
  const fits = shape({ id: isText, fault: isText })(value)
  if (fits !== true) return fits
  return checkFault({
    ...(value as { readonly fault: string }),
    ...(isObject(value) && value.left !== undefined ? { times: Number(value.left) } : {}),
  } as NewFault).ok
}

/** From the first to the last certificate time that DER can write. */
const isMakersTime = isWhole(-62_135_596_800_000, CLOCK_END)

const isSecret: Check = (value) => {
  const bytes = typeof value === 'string' ? fromBase64url(value) : undefined
  return bytes?.ok === true && bytes.value.length === 16
}

const isPrompt = shape({
  id: isText,
  msg_id: isText,
  url: isText,
  kind: oneOf('registration', 'authentication'),
  came_by: oneOf('scan', 'push'),
  rp: shape({ id: isText, name: isText, origins: isTexts }),
  user: shape({ username: (value) => typeof value === 'string', display_name: (value) => typeof value === 'string' }),
  credential_name: (value) => typeof value === 'string',
  expires_at: isSeconds,
  origin: isText,
  fingerprint_failures: isWhole(0, 1_000_000),
  answers_at: optional(isTime),
})

const isReason = shape({ code: isText })

const SCREENS: Readonly<Record<string, Check>> = {
  lock: isObject,
  home: isObject,
  camera: isObject,
  request: shape({ prompt: isPrompt }),
  working: shape({ prompt: isPrompt, doing: oneOf('signing', 'sending') }),
  success: shape({ prompt: isPrompt, credential_id: isText }),
  refused: shape({ prompt: isPrompt, word: isText, reason: optional(isReason) }),
  problem: shape({ word: isText, reason: optional(isReason), prompt: optional(isPrompt) }),
}

const isScreen: Check = (value) => {
  const kind = isObject(value) ? value.kind : undefined
  return typeof kind === 'string' && Object.hasOwn(SCREENS, kind) ? (SCREENS[kind]?.(value) ?? false) : '.kind'
}

const isPhone = shape({
  id: isText,
  name: isName,
  model: (value) => typeof value === 'string' && isModelName(value),
  algorithm: optional((value) => typeof value === 'string' && Object.hasOwn(ALGORITHMS, value)),
  account: shape({ name: isName, phone: isNumberText, secret: optional(isSecret) }),
  device: optional(shape({ id: isText, token: isHeaderText })),
  network: oneOf('online', 'offline'),
  lost: isFlag,
  storage: isCredentialStorage,
  behaviour: (value) => parseBehaviour(value).ok,
  screen: isScreen,
  prompts: listOf(
    shape({ prompt: isPrompt, public_key: shape({ options: isObject }), struck: listOf(shape({ fault: isText })) }),
  ),
  notifications: listOf(
    shape({
      msg_id: isText,
      url: isText,
      rp: shape({ id: isString, name: isString }),
      expires_at: isSeconds,
      arrived_at: isTime,
    }),
  ),
  faults: listOf(isArmedFault),
  last_event_id: optional(isHeaderText),
})

const isCredential = shape({
  name: (value) => typeof value === 'string',
  credential: shape({
    id: isBase64url,
    rpId: isText,
    userHandle: isText,
    userName: isString,
    displayName: isString,
    algorithm: isKnownAlgorithm,
    privateKey: isPrivateKey,
    aaguid: isUuid,
    discoverable: isFlag,
    backupEligible: isFlag,
    backupState: isFlag,
    counter: oneOf('growing', 'zero', 'stuck'),
    signCount: isWhole(0, 0xffff_ffff),
    createdAt: isWhole(0, CLOCK_END),
    transports: isTexts,
    extensions: isObject,
  }),
})

const isCertificate: Check = (value) => {
  const der = typeof value === 'string' ? fromBase64url(value) : undefined
  try {
    return der?.ok === true && new X509Certificate(der.value).subject !== ''
  } catch {
    return false
  }
}

const isIssuer = shape({ name: Array.isArray, privateKey: isPrivateKey, certificate: isCertificate })

const isMaker = shape({ root: isIssuer, intermediate: isIssuer })

const isMakers = shape({
  notBefore: isMakersTime,
  notAfter: isMakersTime,
  secret: isBase64url,
  formats: shape({
    ...Object.fromEntries(CERTIFIED_FORMATS.map((format) => [format, isMaker])),
    'fido-u2f': optional(isMaker),
  }),
})

const parsedBy =
  (check: Check): Check =>
  (value) => {
    if (typeof value !== 'string') return false
    try {
      return check(JSON.parse(value))
    } catch {
      return false
    }
  }

const isList: Check = (value) => Array.isArray(value)
const isWorkspace = closedShape({ makers: optional(parsedBy(isMakers)), phones: isList })
const isStoredPhone = closedShape({ id: isText, json: parsedBy(isPhone), chip: isList })
const isStoredCredential = closedShape({ id: isText, json: parsedBy(isCredential) })

/** Reading a private key costs more than its text. */
const KEY_COST = 10_000

/** Phones from a file that anybody may have written. The refusal names the first field that is not what is stored there. */
export function* parseStoredWorkspace(input: unknown): Steps<Result<StoredWorkspace, FieldProblem>> {
  const problem = fieldOf(isWorkspace(input), '') ?? (yield* phonesProblem((input as StoredWorkspace).phones))
  return problem === undefined ? ok(input as StoredWorkspace) : err(within('phones', problem))
}

function* phonesProblem(phones: StoredWorkspace['phones']): Steps<FieldProblem | undefined> {
  const repeated = repetition()
  for (const [i, phone] of phones.entries()) {
    const at = `phones[${i}]`
    const problem =
      fieldOf(isStoredPhone(phone), at) ?? ownIdProblem(phone, at, ({ id }) => id) ?? repeated(phone.id, at)
    if (problem !== undefined) return problem
    yield phone.json.length
    const twice = repetition()
    for (const [n, kept] of phone.chip.entries()) {
      const inChip = `${at}.chip[${n}]`
      const wrong =
        fieldOf(isStoredCredential(kept), inChip) ??
        ownIdProblem(kept, inChip, ({ credential }) => (credential as JsonObject).id) ??
        twice(kept.id, inChip)
      if (wrong !== undefined) return wrong
      yield KEY_COST + kept.json.length
    }
  }
  return undefined
}

const fieldOf = (fits: boolean | string, at: string): FieldProblem | undefined =>
  fits === true ? undefined : unfit(`${at}${fits === false ? '' : fits}`.replace(/^\./, ''), { code: 'stored_value' })

const unfit = (field: string, expected: Expected): FieldProblem => ({
  code: 'field_unfit',
  params: { field, expected },
})

const ownIdProblem = (
  { id, json }: StoredDocument,
  at: string,
  idOf: (document: JsonObject) => unknown,
): FieldProblem | undefined =>
  idOf(JSON.parse(json) as JsonObject) === id ? undefined : unfit(`${at}.id`, { code: 'id_of_document' })

/** Told of one id after the other: whether one before it is the same. */
const repetition = (): ((id: string, at: string) => FieldProblem | undefined) => {
  const seen = new Map<string, string>()
  return (id, at) => {
    const before = seen.get(id)
    if (before !== undefined) {
      return { code: 'field_repeats', params: { field: `${at}.id`, other: before, value: JSON.stringify(id) } }
    }
    seen.set(id, at)
    return undefined
  }
}
