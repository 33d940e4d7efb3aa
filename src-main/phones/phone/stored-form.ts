import { X509Certificate } from 'node:crypto'
import { phoneName, phoneNumber } from '../../core/contract/app/fields.ts'
import { armedFault, behaviour, phonePrompt, phoneState } from '../../core/contract/control/phone-state.ts'
import { type FieldProblem, unfit, withinField } from '../../core/contract/errors.ts'
import { FAULT_NAMES } from '../../core/contract/faults.ts'
import * as t from '../../core/contract/schema.ts'
import { findProblem } from '../../core/contract/validate.ts'
import { base64urlBytes } from '../../core/protocol/bytes.ts'
import { err, ok, orNothing, type Result } from '../../core/protocol/result.ts'
import type { SlicedWork } from '../../core/protocol/slices.ts'
import { CLOCK_END } from '../../core/protocol/time.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { ALGORITHM_NAMES, algorithmByCose } from '../authenticator/algorithms.ts'
import type { AttestationAuthority } from '../authenticator/attestation/attestation-authority.ts'
import type { Fault } from '../authenticator/faults/fault.ts'
import { PARAMETER_RANGES } from '../authenticator/faults/phone-action-names.ts'
import { CERTIFIED_FORMATS } from '../authenticator/models.ts'
import { importPrivateKey, type PrivateKey } from '../authenticator/private-key.ts'
import { maskNumber } from './account-secret.ts'
import { isModelName } from './model.ts'
import {
  CREDENTIALS_SHOWN,
  isHeaderText,
  type NewFault,
  type PhoneRefusal,
  type PhoneState,
  refusePhone,
  type ShownCredential,
} from './phone-state.ts'
import type { StoredDocument, StoredWorkspace } from './storage/open-storage.ts'

const STORED_VALUE = { code: 'stored_value' } as const

/** False for a value that cannot be used: Handset did not store it. */
const usable = (use: () => unknown): boolean => orNothing(use) !== undefined

const isParameterName = (key: string): key is keyof typeof PARAMETER_RANGES => Object.hasOwn(PARAMETER_RANGES, key)

const parameterProblem = ([key, value]: readonly [string, unknown]): FieldProblem | undefined => {
  if (!isParameterName(key)) {
    return { code: 'field_unknown', params: { field: key, known: Object.keys(PARAMETER_RANGES) } }
  }
  const range = PARAMETER_RANGES[key]
  if (Number.isInteger(value) && Number(value) >= range.least && Number(value) <= range.most) return undefined
  return unfit(key, { code: 'whole_number', params: range }, value)
}

let known: Readonly<Record<string, Fault>> | undefined

/** Called before a phone gets a fault or is loaded with one: most phones never have any. */
export const loadFaults = async (): Promise<void> => {
  known ??= (await import('../authenticator/faults.ts')).FAULTS
}

export const faultNamed = (name: string): Fault | undefined => {
  if (known === undefined) throw new Error('the faults are not loaded')
  return Object.hasOwn(known, name) ? known[name] : undefined
}

const NAMES: ReadonlySet<string> = new Set(FAULT_NAMES)

export const checkFault = ({ fault, times, probability, parameters = {} }: NewFault): Result<void, PhoneRefusal> => {
  if (!NAMES.has(fault)) return err(refusePhone('no_such_fault', { reason: { code: 'got', params: { got: fault } } }))
  const timesFit = times === undefined || (Number.isInteger(times) && times >= 1 && times <= 1000)
  const probabilityFits = probability === undefined || (probability > 0 && probability <= 1)
  if (!timesFit || !probabilityFits || (times !== undefined && probability !== undefined)) {
    return err(refusePhone('invalid_fault'))
  }
  const [reason] = Object.entries(parameters).flatMap((entry) => parameterProblem(entry) ?? [])
  return reason === undefined ? ok(undefined) : err(refusePhone('invalid_fault', { reason }))
}

const base64url = t.refined(t.text(), (value) => value !== '' && base64urlBytes(value) !== undefined, STORED_VALUE)
const headerText = t.refined(t.text(), isHeaderText, STORED_VALUE)
const privateKey = t.typed<PrivateKey>(
  t.refined(t.dictionary(), (key) => usable(() => importPrivateKey(key as PrivateKey)), STORED_VALUE),
)

const { network, lost, storage, screen, notifications } = phoneState.properties
const { kind } = phonePrompt.properties

const openPrompt = t.answer({
  prompt: phonePrompt,
  /** The options to sign, exactly as the service gave them. */
  public_key: t.typed<
    | { readonly kind: 'registration'; readonly options: CreationOptionsJson }
    | { readonly kind: 'authentication'; readonly options: RequestOptionsJson }
  >(t.answer({ kind, options: t.dictionary() })),
  /** The action at `answers_at`. */
  planned: t.optional(
    t.answer({
      answer: t.choice(['approve', 'reject']),
      reason: t.optional(t.text()),
      past_expiry: t.optional(
        t.constant(true, 'On purpose later than the expiry, which then does not end the prompt.'),
      ),
    }),
  ),
  /** Signed and perhaps sent. A retry must send exactly this answer, because only it gets the first verdict again. */
  answer: t.optional(t.answer({ kind, body: t.dictionary(), credential_id: t.text(), storage })),
  struck: t.list(t.answer({ fault: t.text(), parameters: t.optional(t.dictionary()) })),
})

/** Checked like a new fault, with the remaining count. */
const isArmed = ({ left, ...fault }: { readonly fault: string; readonly left?: number }): boolean =>
  checkFault({ ...fault, ...(left === undefined ? {} : { times: left }) }).ok

const phoneRecord = t.answer({
  id: t.text(),
  name: phoneName,
  model: t.refined(t.text(), isModelName, STORED_VALUE),
  algorithm: t.optional(t.choice(ALGORITHM_NAMES, 'Of new keys; the model’s own choice when absent.')),
  account: t.answer({
    name: phoneName,
    phone: phoneNumber,
    secret: t.optional(
      t.refined(t.text('Absent after a wipe.'), (value) => base64urlBytes(value)?.length === 16, STORED_VALUE),
    ),
  }),
  device: t.optional(t.answer({ id: t.text(), token: headerText })),
  network,
  lost,
  storage,
  behaviour,
  screen,
  prompts: t.list(openPrompt),
  notifications,
  faults: t.list(t.refined(armedFault, isArmed, STORED_VALUE)),
  last_event_id: t.optional(headerText),
  /** Passkeys that an RP no longer accepts, with the name of the RP. */
  removed: t.optional(t.list(t.answer({ id: t.text(), by: t.text() }))),
})

export const keptCredential = t.answer({
  name: t.text(),
  account: t.optional(t.text()),
  credential: t.answer({
    id: base64url,
    rpId: t.text(),
    userHandle: t.text(),
    userName: t.text(),
    displayName: t.text(),
    algorithm: t.refined(t.whole(), (cose) => algorithmByCose(cose) !== undefined, STORED_VALUE),
    privateKey,
    aaguid: t.text(undefined, { pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    discoverable: t.flag(),
    backupEligible: t.flag(),
    backupState: t.flag(),
    counter: t.choice(['growing', 'zero', 'stuck']),
    signCount: t.whole(undefined, { minimum: 0, maximum: 0xffff_ffff }),
    createdAt: t.millis(undefined, CLOCK_END),
    transports: t.list(t.text()),
    extensions: t.answer({
      credProtect: t.optional(t.whole(undefined, { minimum: 1, maximum: 3 })),
      hmacSecret: t.optional(t.answer({ withUv: base64url, withoutUv: base64url })),
      largeBlob: t.optional(t.answer({ blob: t.optional(t.text()) })),
    }),
  }),
})

const certificate = t.refined(
  t.text(),
  (der) => usable(() => new X509Certificate(base64urlBytes(der) ?? '').subject),
  STORED_VALUE,
)
const issuer = t.answer({ name: t.list(t.anything()), privateKey, certificate })
const maker = t.answer({ root: issuer, intermediate: issuer })

/** From the first certificate time that DER can write. */
const makersTime = t.whole(undefined, { minimum: -62_135_596_800_000, maximum: CLOCK_END })

export const makersSchema = t.typed<AttestationAuthority>(
  t.answer({
    notBefore: makersTime,
    notAfter: makersTime,
    secret: base64url,
    formats: t.answer(Object.fromEntries<t.Schema>(CERTIFIED_FORMATS.map((format) => [format, t.optional(maker)]))),
  }),
)

/** No further members are allowed here, unlike in the JSON inside, which grows with new versions. */
const document = { id: t.text(), json: t.text() }

export const storedWorkspace = t.object({
  makers: t.optional(t.text()),
  phones: t.list(t.object({ ...document, chip: t.list(t.object(document)) })),
})

/** Cost of checking a private key, in addition to the length of its text. */
const KEY_COST = 10_000

/** Checks the content of an untrusted file. The refusal names the first invalid field. */
export function* parseStoredWorkspace(input: unknown): SlicedWork<Result<StoredWorkspace, FieldProblem>> {
  const problem = findProblem(input, storedWorkspace) ?? (yield* problemWithin(input as StoredWorkspace))
  return problem === undefined ? ok(input as StoredWorkspace) : err(withoutValue(withinField('phones', problem)))
}

function* problemWithin({ makers, phones }: StoredWorkspace): SlicedWork<FieldProblem | undefined> {
  if (makers !== undefined) {
    const problem = problemOfJson(makers, makersSchema)
    if (problem !== undefined) return withinField('makers', problem)
  }
  const checkPhone = documentCheck(phoneRecord, (phone) => phone.id)
  for (const [i, phone] of phones.entries()) {
    const at = `phones[${i}]`
    const problem = checkPhone(phone, at)
    if (problem !== undefined) return problem
    yield phone.json.length
    const checkKept = documentCheck(keptCredential, ({ credential }) => credential.id)
    for (const [n, kept] of phone.chip.entries()) {
      const wrong = checkKept(kept, `${at}.chip[${n}]`)
      if (wrong !== undefined) return wrong
      yield KEY_COST + kept.json.length
    }
  }
  return undefined
}

/** Checks that each document's JSON has this form and the document's own, unique id. */
const documentCheck = <S extends t.Schema>(schema: S, idOf: (document: t.ValueOf<S>) => string) => {
  const seen = new Map<string, string>()
  return ({ id, json }: StoredDocument, at: string): FieldProblem | undefined => {
    const problem = problemOfJson(json, schema)
    if (problem !== undefined) return withinField(`${at}.json`, problem)
    const field = `${at}.id`
    if (idOf(JSON.parse(json) as t.ValueOf<S>) !== id) return unfit(field, { code: 'id_of_document' })
    const other = seen.get(id)
    if (other !== undefined) return { code: 'field_repeats', params: { field, other, value: JSON.stringify(id) } }
    seen.set(id, at)
    return undefined
  }
}

const problemOfJson = (json: string, schema: t.Schema): FieldProblem | undefined => {
  // A value may be too deep to be described: it was not written here.
  const found = orNothing(() => ({ problem: findProblem(JSON.parse(json), schema) }))
  return found === undefined ? unfit('', { code: 'json' }) : found.problem
}

/** Drops the value from the problem: a stored value may be a secret. */
const withoutValue = (problem: FieldProblem): FieldProblem =>
  problem.code === 'field_unfit' ? unfit(problem.params.field, problem.params.expected) : problem

export type PhoneRecord = t.ValueOf<typeof phoneRecord>
export type OpenPrompt = PhoneRecord['prompts'][number]
export type PublicKeyOptions = OpenPrompt['public_key']
export type PreparedAnswer = NonNullable<OpenPrompt['answer']>
export type PlannedAnswer = NonNullable<OpenPrompt['planned']>
export type TriggeredFault = OpenPrompt['struck'][number]

export const toPhoneState = (
  record: PhoneRecord,
  now: { readonly inbox: PhoneState['inbox']; readonly credentials: readonly ShownCredential[] },
): PhoneState => ({
  id: record.id,
  name: record.name,
  model: record.model,
  ...(record.algorithm === undefined ? {} : { algorithm: record.algorithm }),
  account: { name: record.account.name, phone: maskNumber(record.account.phone) },
  ...(record.device === undefined ? {} : { device_id: record.device.id }),
  signed_in: record.device !== undefined,
  network: record.network,
  inbox: now.inbox,
  lost: record.lost,
  storage: record.storage,
  behaviour: record.behaviour,
  screen: record.screen,
  prompts: record.prompts.map(({ prompt }) => prompt),
  notifications: record.notifications,
  credentials: now.credentials.slice(-CREDENTIALS_SHOWN).map((held) => withRemover(held, record)),
  credentials_total: now.credentials.length,
  faults: record.faults,
})

const withRemover = (held: ShownCredential, { removed }: PhoneRecord): ShownCredential => {
  const by = removed?.find(({ id }) => id === held.id)?.by
  return by === undefined ? held : { ...held, removed_by: by }
}

/** Serialised only when written: most records are replaced in memory before that. */
export const encodeRecord = (record: PhoneRecord): { readonly id: string; readonly json: string } => ({
  id: record.id,
  get json() {
    return JSON.stringify(record)
  },
})

/** The text is always from encodeRecord. */
export const decodeRecord = (json: string): PhoneRecord => JSON.parse(json) as PhoneRecord
