import { X509Certificate } from 'node:crypto'
import { ALGORITHMS } from '../authenticator/algorithms.ts'
import { CERTIFIED_FORMATS } from '../authenticator/attestation/attestation-authority.ts'
import { type PrivateKey, privateKeyObject } from '../authenticator/private-key.ts'
import { fromBase64url } from '../protocol/bytes.ts'
import { CLOCK_END, DAY_MS } from '../protocol/clock.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { checkFault } from './armed-faults.ts'
import { parseBehaviour } from './behaviour.ts'
import { isHeaderText } from './header-text.ts'
import { isModelName } from './model.ts'
import { isCredentialStorage } from './phone-state.ts'
import type { NewFault } from './phones-interface.ts'
import { checkSettings } from './settings.ts'
import type { StoredWorkspace } from './storage/phone-storage.ts'

type Json = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
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
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText)
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
    Array.isArray(value) && value.every(check)
const shape =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(members).every(([key, check]) => check(value[key]))

const isString: Check = (value) => typeof value === 'string' && value.length <= 4096 && value.isWellFormed()
const isName: Check = (value) => typeof value === 'string' && checkSettings({ name: value }).ok
const isNumberText: Check = (value) =>
  typeof value === 'string' && checkSettings({ account: { name: 'any', phone: value } }).ok

const isPrivateKey: Check = (value) => {
  if (!isRecord(value)) return false
  try {
    return privateKeyObject(value as PrivateKey).type === 'private'
  } catch {
    return false
  }
}

const isKnownAlgorithm: Check = (value) => Object.values(ALGORITHMS).some(({ cose }) => cose === value)

/** As it is armed, but counted down. */
const isArmedFault: Check = (value) =>
  shape({ id: isText, fault: isText })(value) &&
  checkFault({
    ...(value as { readonly fault: string }),
    ...(isRecord(value) && value.left !== undefined ? { times: Number(value.left) } : {}),
  } as NewFault).ok

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

const SCREENS: Readonly<Record<string, Check>> = {
  lock: isRecord,
  home: isRecord,
  camera: isRecord,
  request: shape({ prompt: isPrompt }),
  working: shape({ prompt: isPrompt, doing: oneOf('signing', 'sending') }),
  success: shape({ prompt: isPrompt, text: isText, credential_id: isText }),
  refused: shape({ prompt: isPrompt, word: isText, text: isText }),
  problem: shape({ word: isText, text: isText, prompt: optional(isPrompt) }),
}

const isScreen: Check = (value) => {
  const kind = isRecord(value) ? value.kind : undefined
  return typeof kind === 'string' && Object.hasOwn(SCREENS, kind) && SCREENS[kind]?.(value) === true
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
    shape({ prompt: isPrompt, public_key: shape({ options: isRecord }), struck: listOf(shape({ fault: isText })) }),
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
    extensions: isRecord,
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

const isDocumentOf = (check: Check): Check => shape({ id: isText, json: parsedBy(check) })

/** Phones from a file that anybody may have written. */
export const parseStoredWorkspace = (input: unknown): Result<StoredWorkspace, string> => {
  if (!isRecord(input) || !Array.isArray(input.phones)) return err('Expected an object with a list of phones.')
  if (!optional(parsedBy(isMakers))(input.makers)) return err('"makers" is not what phones were made with.')
  for (const [index, phone] of input.phones.entries()) {
    if (!isDocumentOf(isPhone)(phone)) return err(`Phone ${index + 1} is not what a phone is stored as.`)
    if (!listOf(isDocumentOf(isCredential))(phone.chip)) return err(`The chip of phone ${index + 1} cannot be read.`)
  }
  const ids = input.phones.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) return err('Two phones have one id.')
  const own = input.phones.every(({ id, json }) => (JSON.parse(json) as { id: unknown }).id === id)
  return own ? ok(input as StoredWorkspace) : err('A phone is stored under an id that is not its own.')
}
