import type { AnswerEdits, Splice } from '../../src-main/core/contract/resending.ts'
import { decodeAuthenticatorData } from '../../src-main/core/judge/authenticator-data.ts'
import { type Bytes, fromHex, fromUtf8, toHex } from '../../src-main/core/protocol/bytes.ts'
import { isObject, parseJsonOrNothing } from '../../src-main/core/protocol/json.ts'
import { decodeParts } from '../../src-main/views/inspect/parts.ts'
import { commonEnds } from '../inspector/marked.tsx'
import { isWrongMember, type Member, parseMembers } from './member-fields.tsx'

export const BYTE_PARTS = ['clientDataJSON', 'authenticatorData', 'attestationObject', 'signature'] as const
export type BytePart = (typeof BYTE_PARTS)[number]

export const HEX_FIELDS = ['rpIdHash', 'aaguid', 'attestedId', 'publicKey'] as const
export type HexField = (typeof HEX_FIELDS)[number]

/** Has only the members that the answer has. */
export type AnswerDraft = {
  readonly members: readonly Member[]
  readonly hex: { readonly [F in HexField]?: string }
  readonly flags?: number
  readonly counter?: string
  readonly credentialId: string
  readonly userHandle?: string
  /** The bytes after those fields in the authenticator data, in hex. */
  readonly rest?: string
  /** Parts whose bytes the user edited: these bytes are sent, and the fields only show them. */
  readonly typed?: { readonly [P in BytePart]?: boolean }
  readonly bytes: { readonly [P in BytePart]?: string }
}

export const createAnswerDraft = (body: string): AnswerDraft => {
  const parts = new Map(decodeParts(body).map(({ name, bytes }) => [name, bytes]))
  const sent = parseJsonOrNothing(body)
  const answer = isObject(sent) && isObject(sent.response) ? sent.response : {}
  const response = isObject(answer.response) ? answer.response : {}
  const authData = parts.get('authenticatorData')
  return {
    members: membersOf(parts.get('clientDataJSON')),
    ...decodeFields(authData),
    credentialId: typeof answer.id === 'string' ? answer.id : '',
    ...(typeof response.userHandle === 'string' ? { userHandle: response.userHandle } : {}),
    bytes: Object.fromEntries(BYTE_PARTS.flatMap((name) => hexOf(name, parts.get(name)))),
  }
}

const hexOf = (name: BytePart, bytes: Bytes | undefined) => (bytes === undefined ? [] : [[name, toHex(bytes)] as const])

const membersOf = (bytes: Bytes | undefined): readonly Member[] => parseMembers((bytes && fromUtf8(bytes)) ?? '') ?? []

export const decodeFields = (bytes: Bytes | undefined): Pick<AnswerDraft, 'hex' | 'flags' | 'counter' | 'rest'> => {
  const data = bytes && decodeAuthenticatorData(bytes).value
  if (bytes === undefined || data === undefined) return { hex: {} }
  const { attested } = data
  const key = attested?.publicKeyRange
  return {
    flags: bytes[32] ?? 0,
    counter: String(data.signCount),
    rest: toHex(bytes.subarray(key?.end ?? attested?.credentialIdRange.end ?? FIXED_END)),
    hex: {
      rpIdHash: toHex(data.rpIdHash),
      ...(attested === undefined ? {} : { aaguid: toHex(attested.aaguid), attestedId: toHex(attested.credentialId) }),
      ...(key === undefined ? {} : { publicKey: toHex(bytes.subarray(key.start, key.end)) }),
    },
  }
}

/** Hash, flags and counter (WebAuthn §6.1). */
const FIXED_END = 37

const EDITS = {
  hex: { rpIdHash: 'rp_id_hash', aaguid: 'aaguid', attestedId: 'attested_credential_id', publicKey: 'public_key' },
  bytes: {
    clientDataJSON: 'client_data_bytes',
    authenticatorData: 'authenticator_data_bytes',
    attestationObject: 'attestation_object_bytes',
    signature: 'signature_bytes',
  },
} as const

const FOLLOWING: ReadonlySet<BytePart> = new Set(['clientDataJSON', 'authenticatorData'])

/** The edits of the original answer, as the contract defines them. `after` must be sendable. */
export const findEdits = (before: AnswerDraft, after: AnswerDraft): AnswerEdits => {
  const { credentialId, userHandle, typed = {} } = after
  const members = typed.clientDataJSON ? [] : memberEdits(before.members, after.members)
  const { flags, counter, hex } = typed.authenticatorData ? before : after
  return {
    ...(members.length === 0 ? {} : { client_data: members }),
    ...(flags === undefined || flags === before.flags ? {} : { flags }),
    ...(counter === undefined || counter === before.counter ? {} : { counter: Number(counter) }),
    ...(credentialId === before.credentialId ? {} : { credential_id: credentialId }),
    ...(userHandle === before.userHandle ? {} : { user_handle: userHandle ?? null }),
    ...Object.fromEntries(
      HEX_FIELDS.flatMap((name) => {
        const now = plainHex(hex[name])
        return now === undefined || now === before.hex[name] ? [] : [[EDITS.hex[name], now]]
      }),
    ),
    ...Object.fromEntries(
      BYTE_PARTS.flatMap((name) => {
        if (FOLLOWING.has(name) && !typed[name]) return []
        const [old, now] = [before.bytes[name], after.bytes[name]].map((text) => fromHex(plainHex(text) ?? ''))
        if (!old?.ok || !now?.ok || toHex(old.value) === toHex(now.value)) return []
        return [[EDITS.bytes[name], findSplices(old.value, now.value)]]
      }),
    ),
  }
}

const memberEdits = (before: readonly Member[], after: readonly Member[]): NonNullable<AnswerEdits['client_data']> => {
  const left = new Set(after.map(({ name }) => name))
  const old = new Map(before.map((member) => [member.name, member]))
  return [
    ...before.flatMap(({ name }) => (left.has(name) ? [] : [{ name }])),
    ...after.flatMap(({ name, value, json }) => {
      const was = old.get(name)
      if (was?.value === value && was.json === json) return []
      return [json ? { name, json: value } : { name, value }]
    }),
  ]
}

/** Normalizes hex, which users paste with spaces or in upper case. */
export const plainHex = (text: string | undefined): string | undefined => text?.replace(/[\s:]/g, '').toLowerCase()

export const isHex = (text: string): boolean => /^([0-9a-f]{2})*$/.test(plainHex(text) ?? '')

export const isCounter = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) <= 0xffffffff

export const isSendable = ({ members, hex, counter = '0', bytes }: AnswerDraft): boolean =>
  isCounter(counter) &&
  members.every((member) => member.name !== '' && !isWrongMember(member)) &&
  [...Object.values(hex), ...Object.values(bytes)].every(isHex)

/** Splices that turn one byte string into another: octet by octet, or one between common ends if lengths differ. */
export const findSplices = (before: Uint8Array, after: Uint8Array): readonly Splice[] =>
  before.length === after.length ? runs(before, after) : between(before, after)

const runs = (before: Uint8Array, after: Uint8Array): readonly Splice[] => {
  const splices: Splice[] = []
  let from: number | undefined
  for (let at = 0; at <= before.length; at++) {
    const differs = at < before.length && before[at] !== after[at]
    if (differs) from ??= at
    else if (from !== undefined) {
      splices.push({ at: from, take: at - from, put: toHex(after.subarray(from, at)) })
      from = undefined
    }
  }
  return splices
}

const between = (before: Uint8Array, after: Uint8Array): readonly Splice[] => {
  const { start, end } = commonEnds(before, after)
  const put = toHex(after.subarray(start, after.length - end))
  return [{ at: start, take: before.length - end - start, put }]
}
