import { X509Certificate } from 'node:crypto'
import { isPhoneNumber, isSealed, LONGEST_SEALED } from '../../core/contract/app/fields.ts'
import {
  type Expected,
  type FieldProblem,
  type Refusal,
  refuseField,
  unfit,
  withinField,
} from '../../core/contract/errors.ts'
import type { MaxLengthKey } from '../../core/contract/input-by-profile.ts'
import { profileSettings } from '../../core/contract/profile.ts'
import { accessKeyId, isRpId, rpOrigins, secretKey } from '../../core/contract/rp-identity.ts'
import { NAME_MAX, nameText } from '../../core/contract/schema.ts'
import { fitsSchema } from '../../core/contract/validate.ts'
import { coseAlgorithms } from '../../core/judge/algorithms.ts'
import { decodeCbor } from '../../core/judge/cbor.ts'
import { decodeCoseKey } from '../../core/judge/cose-key.ts'
import { base64urlBytes } from '../../core/protocol/bytes.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import { err, ok, orNothing, type Result } from '../../core/protocol/result.ts'
import type { SlicedWork } from '../../core/protocol/slices.ts'
import { CLOCK_END, DAY_MS } from '../../core/protocol/time.ts'
import { ABOUT_SETTING, isValidSetting } from '../settings/stored-settings.ts'
import { costOfRow } from '../store/replace-rows.ts'

export const ETAG = /^"[\w-]+"$/

export type Cell = string | number | null | undefined

type ColumnRule = { readonly expected: Expected; readonly fits: (cell: Cell) => boolean }

const rule = (expected: Expected, fits: (cell: Cell) => boolean): ColumnRule => ({ expected, fits })
const orNull = ({ expected, fits }: ColumnRule): ColumnRule =>
  rule({ code: 'or_null', params: { expected } }, (cell) => cell === null || cell === undefined || fits(cell))
const text = (max: number): ColumnRule => {
  const schema = nameText(max)
  return rule({ code: 'name', params: { count: max } }, (cell) => fitsSchema(cell, schema))
}
const oneOf = (...values: readonly (string | number)[]): ColumnRule =>
  rule({ code: 'one_of', params: { values: values.map(String) } }, (cell) => values.some((value) => value === cell))
const whole = (least: number, most: number): ColumnRule =>
  rule(
    { code: 'whole_number', params: { least, most } },
    (cell) => Number.isSafeInteger(cell) && Number(cell) >= least && Number(cell) <= most,
  )
const bytes = (least: number, most = least): ColumnRule =>
  rule({ code: 'base64url_bytes', params: { least, most } }, (cell) => {
    const length = base64urlBytes(cell)?.length
    return length !== undefined && length >= least && length <= most
  })
const json = (expected: Expected, fits: (value: unknown) => boolean): ColumnRule =>
  rule({ code: 'json_of', params: { expected } }, (cell) => {
    const value = parseCell(cell)
    return value !== undefined && fits(value)
  })

export const parseCell = (cell: Cell): unknown => (typeof cell === 'string' ? parseJsonOrNothing(cell) : undefined)

const shortText = nameText(64)
const isShortText = (value: unknown): boolean => fitsSchema(value, shortText)

const id = text(64)
const name = text(NAME_MAX)
const time = whole(0, CLOCK_END)
// A message made at the end of the clock's range expires after it.
const expiry = whole(0, CLOCK_END + DAY_MS)
const flag = oneOf(0, 1)
const hash = bytes(32)
const object = json({ code: 'object' }, isObject)
const credentialId = bytes(1, 1023)
const longest = (key: MaxLengthKey): ColumnRule => text(profileSettings[key].rule.max)
const shown = rule(
  { code: 'characters_at_most', params: { count: 8192 } },
  (cell) => typeof cell === 'string' && cell.isWellFormed() && cell.length <= 8192,
)

const rowRules: Readonly<Record<string, Readonly<Record<string, ColumnRule>>>> = {
  settings: { name: oneOf('profile', 'conditions', 'service_faults', 'clock', ABOUT_SETTING), value: object },
  rps: {
    id,
    name,
    rp_id: rule({ code: 'domain' }, isRpId),
    origins: json({ code: 'origins' }, (value) => fitsSchema(value, rpOrigins)),
    handle_key: hash,
    created_at: time,
  },
  access_keys: {
    id: rule({ code: 'access_key_id' }, (cell) => fitsSchema(cell, accessKeyId)),
    rp: id,
    secret: rule({ code: 'secret_key' }, (cell) => fitsSchema(cell, secretKey)),
    state: oneOf('active', 'disabled'),
    created_at: time,
  },
  accounts: {
    id,
    name,
    phone: rule({ code: 'phone_number' }, (cell) => typeof cell === 'string' && isPhoneNumber(cell)),
    proof_hash: orNull(hash),
    created_at: time,
  },
  devices: { id, account: id, name, token_hash: hash, push_count: whole(0, 2 ** 48), created_at: time },
  messages: {
    id: bytes(16),
    rp: id,
    kind: oneOf('registration', 'authentication'),
    method: orNull(oneOf('qrcode', 'push')),
    user_id: longest('user_id_max'),
    username: longest('username_max'),
    display_name: longest('display_name_max'),
    credential_name: rule({ code: 'text' }, (cell) => cell === '' || longest('credential_name_max').fits(cell)),
    challenge: bytes(16, 64),
    state: oneOf('init', 'bind', 'success', 'fail', 'timeout'),
    svc_user: rule({ code: 'name', params: { count: 256 } }, (cell) => cell === '' || text(256).fits(cell)),
    error: shown,
    device: orNull(id),
    account: orNull(id),
    public_key: orNull(object),
    answer_hash: orNull(bytes(32)),
    verdict: orNull(object),
    credential_id: orNull(credentialId),
    created_at: time,
    expires_at: expiry,
    delivered_at: orNull(time),
  },
  credentials: {
    id: credentialId,
    rp: id,
    user_id: longest('user_id_max'),
    name: longest('credential_name_max'),
    storage: oneOf('chip', 'cloud'),
    account: id,
    device: id,
    public_key: rule({ code: 'public_key' }, (cell) => algorithmOf(cell) !== undefined),
    algorithm: oneOf(...coseAlgorithms),
    counter: whole(0, 0xffff_ffff),
    aaguid: rule(
      { code: 'uuid' },
      (cell) => typeof cell === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(cell),
    ),
    attestation_format: rule({ code: 'format_name' }, (cell) => typeof cell === 'string' && /^[!-~]{1,32}$/.test(cell)),
    transports: json({ code: 'list' }, (value) => Array.isArray(value) && value.every(isShortText)),
    backup_eligible: flag,
    backup_state: flag,
    user_verified: flag,
    created_at: time,
    updated_at: time,
  },
  pushes: { device: id, n: whole(1, 2 ** 48), msg_id: bytes(16), sent_at: orNull(time) },
  vault: {
    account: id,
    credential_id: credentialId,
    etag: rule({ code: 'etag' }, (cell) => typeof cell === 'string' && ETAG.test(cell)),
    sealed: rule({ code: 'base64url_characters', params: { count: LONGEST_SEALED } }, isSealed),
    updated_at: time,
  },
  roots: {
    id,
    name,
    certificate: rule({ code: 'certificate' }, (cell) => parseCertificate(cell).ok),
    created_at: time,
  },
}

const algorithmOf = (cell: Cell): number | undefined => {
  const key = base64urlBytes(cell)
  const item = key && decodeCbor(key)
  return item?.ok === true ? decodeCoseKey(item.value.item).value?.algorithm : undefined
}

const SETTINGS: Readonly<Record<string, (value: unknown) => boolean>> = isValidSetting

type Row = Readonly<Record<string, Cell>>

/** The first column of a row that contradicts its other columns. */
const relationProblem = (table: string, row: Row): string | undefined => {
  if (table === 'settings') {
    return SETTINGS[String(row.name)]?.(parseCell(row.value)) === false ? 'value' : undefined
  }
  if (table === 'credentials') return algorithmOf(row.public_key) === row.algorithm ? undefined : 'algorithm'
  if (table !== 'messages') return undefined
  const { state, device, account, public_key, challenge, answer_hash } = row
  const bound = state === 'bind' || state === 'success' || state === 'fail'
  if (bound && typeof device !== 'string') return 'device'
  if (bound && typeof account !== 'string') return 'account'
  if (bound && typeof public_key !== 'string') return 'public_key'
  const asked = parseCell(public_key) as { readonly challenge?: unknown } | undefined
  if (asked !== undefined && asked.challenge !== challenge) return 'public_key'
  return (state === 'success' || state === 'fail') && typeof answer_hash !== 'string' ? 'answer_hash' : undefined
}

/** Unique keys of the tables that do not have `id` as their only one. */
const uniqueKeys: Readonly<Record<string, readonly (readonly string[])[]>> = {
  settings: [['name']],
  accounts: [['id'], ['phone']],
  devices: [['id'], ['token_hash']],
  credentials: [['rp', 'id']],
  pushes: [['device', 'n']],
  vault: [['account', 'credential_id']],
}

/** References between rows: table, column, and the referenced table. */
export const REFERENCES = [
  ['access_keys', 'rp', 'rps'],
  ['devices', 'account', 'accounts'],
  ['messages', 'rp', 'rps'],
  ['credentials', 'rp', 'rps'],
  ['pushes', 'device', 'devices'],
  ['pushes', 'msg_id', 'messages'],
  ['vault', 'account', 'accounts'],
] as const

/** PEM, or the DER in base64. */
export const parseCertificate = (value: unknown): Result<X509Certificate, Refusal> => {
  const text = typeof value === 'string' ? value : ''
  const encoded = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64')
  const certificate = orNothing(() => new X509Certificate(encoded))
  return certificate === undefined ? err(refuseField(unfit('certificate', { code: 'certificate' }))) : ok(certificate)
}

const TABLES = Object.keys(rowRules)

/** The first value in a workspace's rows that the service could not have stored, with its field. */
export function* rowsProblem(
  tables: Readonly<Record<string, unknown>>,
  among: readonly string[] = TABLES,
): SlicedWork<FieldProblem | undefined> {
  for (const [table, rows] of Object.entries(tables)) {
    const rules = Object.hasOwn(rowRules, table) ? rowRules[table] : undefined
    if (rules === undefined) return { code: 'field_unknown', params: { field: `tables.${table}`, known: TABLES } }
    if (!Array.isArray(rows)) return unfit(`tables.${table}`, { code: 'list' })
    const repeated = repetitionIn(table)
    for (const [i, row] of rows.entries()) {
      const problem = rowProblem(table, rules, row) ?? repeated(row as Row, i)
      if (problem !== undefined) return withinField(`tables.${table}[${i}]`, problem)
      yield costOfRow(row as Row)
    }
  }
  return yield* referenceProblem(tables as Tables, among)
}

/** Called with each row in order; returns the problem if an earlier row has the same key. */
const repetitionIn = (table: string): ((row: Row, index: number) => FieldProblem | undefined) => {
  const keys = (uniqueKeys[table] ?? [['id']]).map((columns) => ({ columns, seen: new Map<string, number>() }))
  return (row, index) => {
    for (const { columns, seen } of keys) {
      const key = columns.map((column) => JSON.stringify(row[column])).join(', ')
      const before = seen.get(key)
      if (before !== undefined) {
        const params = { field: columns.at(-1) ?? '', other: `tables.${table}[${before}]`, value: key }
        return { code: 'field_repeats', params }
      }
      seen.set(key, index)
    }
    return undefined
  }
}

type Tables = Readonly<Record<string, readonly Row[]>>

const rowProblem = (
  table: string,
  rules: Readonly<Record<string, ColumnRule>>,
  row: unknown,
): FieldProblem | undefined => {
  if (!isObject(row)) return unfit('', { code: 'object' })
  const cells = row as Row
  const stray = Object.keys(cells).find((column) => !Object.hasOwn(rules, column))
  if (stray !== undefined) return { code: 'field_unknown', params: { field: stray, known: Object.keys(rules) } }
  for (const [column, { expected, fits }] of Object.entries(rules)) {
    if (!fits(cells[column])) return unfit(column, expected)
  }
  const unrelated = relationProblem(table, cells)
  return unrelated === undefined ? undefined : unfit(unrelated, { code: 'fit_for_row' })
}

function* referenceProblem(tables: Tables, among: readonly string[]): SlicedWork<FieldProblem | undefined> {
  for (const [table, column, target] of REFERENCES) {
    if (!among.includes(table) || !among.includes(target)) continue
    const there = new Set<Cell>()
    for (const { id } of tables[target] ?? []) {
      there.add(id)
      yield REFERENCE_COST
    }
    for (const [i, row] of (tables[table] ?? []).entries()) {
      if (!there.has(row[column])) {
        return unfit(`tables.${table}[${i}].${column}`, { code: 'row_of', params: { table: target } })
      }
      yield REFERENCE_COST
    }
  }
  return undefined
}

const REFERENCE_COST = 20

/** Tables checked when a workspace is opened: they have few rows, and nothing works without them. */
export const HEAD_TABLES = ['settings', 'rps', 'access_keys', 'roots'] as const
