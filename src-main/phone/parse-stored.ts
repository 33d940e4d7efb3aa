import { ALGORITHMS } from '../authenticator/algorithms.ts'
import { CERTIFIED_FORMATS } from '../authenticator/attestation/attestation-authority.ts'
import { fromBase64url } from '../protocol/bytes.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { parseBehaviour } from './behaviour.ts'
import { isHeaderText } from './header-text.ts'
import { isModelName } from './model.ts'
import { isCredentialStorage } from './phone-state.ts'
import type { StoredWorkspace } from './storage/phone-storage.ts'

type Json = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 4096
const isFlag: Check = (value) => typeof value === 'boolean'
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
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
  expires_at: isNumber,
  origin: isText,
  fingerprint_failures: isNumber,
  answers_at: optional(isNumber),
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
  name: isText,
  model: (value) => typeof value === 'string' && isModelName(value),
  algorithm: optional((value) => typeof value === 'string' && Object.hasOwn(ALGORITHMS, value)),
  account: shape({ name: isText, phone: isText, secret: optional(isSecret) }),
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
    shape({ msg_id: isText, url: isText, rp: isRecord, expires_at: isNumber, arrived_at: isNumber }),
  ),
  faults: listOf(shape({ id: isText, fault: isText, left: optional(isNumber), probability: optional(isNumber) })),
  last_event_id: optional(isHeaderText),
})

const isCredential = shape({
  name: (value) => typeof value === 'string',
  credential: shape({
    id: (value) => typeof value === 'string' && fromBase64url(value).ok,
    rpId: isText,
    userHandle: isText,
    algorithm: isNumber,
    privateKey: shape({ kty: isText }),
    discoverable: isFlag,
    counter: oneOf('growing', 'zero', 'stuck'),
    signCount: isNumber,
    createdAt: isNumber,
    transports: isTexts,
    extensions: isRecord,
  }),
})

const isIssuer = shape({ name: Array.isArray, privateKey: shape({ kty: isText }), certificate: isText })

const isMakers = shape({
  notBefore: isNumber,
  notAfter: isNumber,
  secret: isText,
  formats: shape(
    Object.fromEntries(CERTIFIED_FORMATS.map((format) => [format, shape({ root: isIssuer, intermediate: isIssuer })])),
  ),
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
