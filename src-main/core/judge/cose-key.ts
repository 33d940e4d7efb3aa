import type { FailureWord } from '../contract/judge/failure-words.ts'
import type { Bytes } from '../protocol/bytes.ts'
import {
  algorithmName,
  type CoseAlgorithm,
  coordinateSize,
  type EcCurve,
  findAlgorithm,
  isOnCurve,
  type OkpCurve,
  type PublicKey,
} from './algorithms.ts'
import { type CborBytes, type CborItem, type CborMap, findEntry, type Range } from './cbor.ts'
import type { Decoded, Finding } from './check-list.ts'
import { countBytes, member, showValue } from './describe.ts'

export type CoseKey = {
  readonly algorithm: number
  readonly key: PublicKey
  /** Range of each member's value, by its name in the registry. */
  readonly members: readonly { readonly name: string; readonly start: number; readonly end: number }[]
}

/** The member names of a key type, by label (RFC 9053 §7, RFC 8230, RFC 9964 for AKP). */
const MEMBERS = {
  1: { kty: 'OKP', required: { '-1': 'crv', '-2': 'x' }, private: -4 },
  2: { kty: 'EC2', required: { '-1': 'crv', '-2': 'x', '-3': 'y' }, private: -4 },
  3: { kty: 'RSA', required: { '-1': 'n', '-2': 'e' }, private: -3 },
  7: { kty: 'AKP', required: { '-1': 'pub' }, private: -2 },
} as const satisfies Record<number, { kty: PublicKey['kty']; required: Record<string, string>; private: number }>

const EC_CURVES: Readonly<Record<number, EcCurve>> = { 1: 'P-256', 2: 'P-384', 3: 'P-521', 8: 'secp256k1' }
const OKP_CURVES: Readonly<Record<number, OkpCurve>> = { 6: 'Ed25519', 7: 'Ed448' }
const OKP_SIZE = { Ed25519: 32, Ed448: 57 } as const satisfies Record<OkpCurve, number>

// RFC 8230 §4 and §6.1: at least 2048 bits, and a maximum, since long keys are slow to verify.
const RSA_LEAST_BYTES = 256
const RSA_MOST_BYTES = 2048

/** WebAuthn §6.5.1.1. */
export const decodeCoseKey = (item: CborItem): Decoded<CoseKey> => {
  const refuse = (word: FailureWord, at: Range, detail: Partial<Finding> = {}): Decoded<CoseKey> => ({
    findings: [{ word, ...detail, at: { part: 'authenticatorData', start: at.start, end: at.end } }],
  })
  if (item.type !== 'map')
    return refuse('malformed_public_key', item, { expected: { code: 'map' }, received: item.type })
  const kty = findEntry(item, 1)
  const alg = findEntry(item, 3)
  if (kty?.type !== 'integer') return refuse('malformed_public_key', kty ?? item, { expected: member('kty', 'number') })
  if (alg?.type !== 'integer' || typeof alg.value !== 'number') {
    return refuse('malformed_public_key', alg ?? item, { expected: member('alg', 'number') })
  }
  const shape = MEMBERS[Number(kty.value) as keyof typeof MEMBERS]
  if (shape === undefined) return refuse('public_key_type_unsupported', kty, { received: String(kty.value) })
  const algorithm = findAlgorithm(alg.value)
  if (algorithm === undefined) return refuse('unsupported_algorithm', alg, { received: String(alg.value) })
  if (algorithm.kty !== shape.kty) {
    return refuse('public_key_type_mismatch', kty, {
      expected: { code: 'key_type_for', params: { type: algorithm.kty, algorithm: algorithmName(alg.value) } },
      received: shape.kty,
    })
  }
  const key = readKey(item, algorithm, refuse)
  if ('findings' in key) return key
  const allowed = new Map<number, string>([
    [1, 'kty'],
    [3, 'alg'],
    ...Object.entries(shape.required).map(([label, name]) => [Number(label), name] as const),
  ])
  const extra = item.entries.find(({ key: label }) => label.type !== 'integer' || !allowed.has(Number(label.value)))
  const members = item.entries.map(({ key: label, value }) => ({
    name: (label.type === 'integer' && allowed.get(Number(label.value))) || 'other',
    start: value.start,
    end: value.end,
  }))
  // WebAuthn §6.5.1: no optional member except alg.
  const word = extra && isLabel(extra.key, shape.private) ? 'public_key_private_part' : 'public_key_extra_member'
  const findings = extra ? refuse(word, { start: extra.key.start, end: extra.value.end }).findings : []
  return { value: { algorithm: alg.value, key, members }, findings }
}

const isLabel = (key: CborItem, label: number): boolean => key.type === 'integer' && key.value === label

type Refuse = (word: FailureWord, at: Range, detail?: Partial<Finding>) => Decoded<CoseKey>

const readKey = (map: CborMap, algorithm: CoseAlgorithm, refuse: Refuse): PublicKey | Decoded<CoseKey> => {
  switch (algorithm.kty) {
    case 'EC2':
      return readEc(map, algorithm.crv, refuse)
    case 'OKP': {
      const x = wrongCurve(map, OKP_CURVES, algorithm.crv, refuse) ?? readBytes(map, -2, 'x', refuse)
      if ('findings' in x) return x
      return wrongLength(x, OKP_SIZE[algorithm.crv], refuse) ?? { kty: 'OKP', crv: algorithm.crv, x: x.value }
    }
    case 'RSA':
      return readRsa(map, refuse)
    case 'AKP': {
      const pub = readBytes(map, -1, 'pub', refuse)
      if ('findings' in pub) return pub
      return wrongLength(pub, algorithm.keyLength, refuse) ?? { kty: 'AKP', name: algorithm.name, pub: pub.value }
    }
  }
}

const readBytes = (map: CborMap, label: number, name: string, refuse: Refuse): CborBytes | Decoded<CoseKey> => {
  const item = findEntry(map, label)
  return item?.type === 'bytes'
    ? item
    : refuse('malformed_public_key', item ?? map, { expected: member(name, 'bytes') })
}

const wrongLength = (item: CborBytes, size: number, refuse: Refuse): Decoded<CoseKey> | undefined => {
  if (item.value.length === size) return undefined
  const [expected, received] = [countBytes(size), countBytes(item.value.length)]
  return refuse('public_key_length', item, { expected, received })
}

const readEc = (map: CborMap, crv: EcCurve, refuse: Refuse): PublicKey | Decoded<CoseKey> => {
  const x = wrongCurve(map, EC_CURVES, crv, refuse) ?? readBytes(map, -2, 'x', refuse)
  if ('findings' in x) return x
  const sign = findEntry(map, -3)
  // RFC 9053 §7.1.1: a boolean y is the sign of a compressed point, which WebAuthn §5.8.5 rules out.
  if (sign?.type === 'simple' && typeof sign.value === 'boolean') return refuse('public_key_point_compressed', sign)
  const y = readBytes(map, -3, 'y', refuse)
  if ('findings' in y) return y
  const size = coordinateSize(crv)
  const wrong = wrongLength(x, size, refuse) ?? wrongLength(y, size, refuse)
  if (wrong) return wrong
  if (!isOnCurve({ crv, x: x.value, y: y.value })) return refuse('public_key_not_on_curve', x, { expected: crv })
  return { kty: 'EC2', crv, x: x.value, y: y.value }
}

const readRsa = (map: CborMap, refuse: Refuse): PublicKey | Decoded<CoseKey> => {
  const n = readBytes(map, -1, 'n', refuse)
  if ('findings' in n) return n
  const e = readBytes(map, -2, 'e', refuse)
  if ('findings' in e) return e
  // RFC 8230 §4: n and e must not begin with a zero octet.
  const padded = n.value[0] === 0 ? 'n' : e.value[0] === 0 ? 'e' : undefined
  if (padded !== undefined) {
    const expected = { code: 'no_leading_zeros', params: { name: padded } } as const
    return refuse('malformed_public_key', { n, e }[padded], { expected })
  }
  if (n.value.length < RSA_LEAST_BYTES || n.value.length > RSA_MOST_BYTES) {
    const expected = { code: 'bytes_between', params: { least: RSA_LEAST_BYTES, most: RSA_MOST_BYTES } } as const
    return refuse('public_key_length', n, { expected, received: countBytes(n.value.length) })
  }
  if (!isUsableExponent(e.value)) return refuse('public_key_exponent', e)
  return { kty: 'RSA', n: n.value, e: e.value }
}

const isUsableExponent = (e: Bytes): boolean =>
  e.length > 0 && e.length <= 8 && ((e.at(-1) ?? 0) & 1) === 1 && !(e.length === 1 && e[0] === 1)

const wrongCurve = <Curve extends string>(
  map: CborMap,
  curves: Readonly<Record<number, Curve>>,
  wanted: Curve,
  refuse: Refuse,
): Decoded<CoseKey> | undefined => {
  const crv = findEntry(map, -1)
  if (crv?.type !== 'integer') return refuse('malformed_public_key', crv ?? map, { expected: member('crv', 'number') })
  const known = curves[Number(crv.value)]
  if (known === wanted) return undefined
  return refuse('public_key_curve_mismatch', crv, { expected: wanted, received: known ?? showValue(Number(crv.value)) })
}
