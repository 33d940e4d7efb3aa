import type { Dice } from './dice.ts'

/** Damage with a sense of structure: values, JSON text and octets that are nearly right. */

type Json = unknown

const ODD_TEXTS = [
  ...['', ' ', '0', 'null', '__proto__', 'constructor', '../../etc/passwd', "' OR 1=1 --", '%00', '\u0000', '\ud800'],
  ...['\ufeff', '👩‍👩‍👧‍👦', 'ａ', 'e\u0301', '\u202e', 'AAAA', '====', '-_-_', 'a+b/c=', 'localhost'],
  ...['https://shop.example', 'SVC-HMAC-SHA256'],
] as const

const ODD_NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  255,
  256,
  65_536,
  1e21,
  1e308,
  5e-324,
  ...[31, 32, 53].map((n) => 2 ** n),
  -(2 ** 53),
]

export const oddText = (dice: Dice): string => {
  const kind = dice.below(6)
  if (kind === 0) return dice.bytes(1 + dice.below(40)).toString('base64url')
  if (kind === 1) return dice.pick(ODD_TEXTS).repeat(1 + dice.below(300))
  if (kind === 2) return 'x'.repeat(1 << dice.below(14))
  if (kind === 3) return dice.bytes(1 + dice.below(20)).toString('latin1')
  return dice.pick(ODD_TEXTS)
}

export const oddValue = (dice: Dice, depth = 0): Json => {
  const kind = dice.below(10)
  if (kind < 3) return oddText(dice)
  if (kind < 5) return dice.pick(ODD_NUMBERS)
  if (kind === 5) return dice.chance(0.5)
  if (kind === 6) return null
  if (depth > 3) return {}
  if (kind === 7) return Array.from({ length: dice.below(4) }, () => oddValue(dice, depth + 1))
  if (kind === 8) return nested(dice.pick([2, 10, 31, 32, 33, 200]))
  return Object.fromEntries(Array.from({ length: dice.below(4) }, () => [oddText(dice), oddValue(dice, depth + 1)]))
}

const nested = (depth: number): Json => {
  let value: Json = 1
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

/** A copy in which one place, chosen anywhere in the tree, is not what it was. */
export const mutateValue = (value: Json, dice: Dice): Json => {
  if (Array.isArray(value)) {
    if (value.length === 0 || dice.chance(0.3)) return mutateList(value, dice)
    const at = dice.below(value.length)
    return value.map((entry, i) => (i === at ? mutateValue(entry, dice) : entry))
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0 || dice.chance(0.2)) return mutateMembers(entries, dice)
    const at = dice.below(entries.length)
    return Object.fromEntries(entries.map(([key, entry], i) => [key, i === at ? mutateValue(entry, dice) : entry]))
  }
  if (typeof value === 'string' && dice.chance(0.5)) return mutateText(value, dice)
  if (typeof value === 'number' && dice.chance(0.5))
    return dice.pick([value + 1, value - 1, -value, value * 1e9, `${value}`])
  return oddValue(dice)
}

const mutateList = (list: readonly Json[], dice: Dice): Json => {
  const kind = dice.below(4)
  if (kind === 0) return []
  if (kind === 1) return [...list, oddValue(dice)]
  if (kind === 2) return Array.from({ length: 150 }, (_, i) => list[i % Math.max(1, list.length)] ?? 'x')
  return oddValue(dice)
}

const mutateMembers = (entries: readonly [string, Json][], dice: Dice): Json => {
  const kind = dice.below(4)
  const at = dice.below(Math.max(1, entries.length))
  if (kind === 0) return Object.fromEntries(entries.filter((_, i) => i !== at))
  if (kind === 1) return Object.fromEntries(entries.map(([key, entry], i) => [i === at ? oddText(dice) : key, entry]))
  if (kind === 2) return Object.fromEntries([...entries, [oddText(dice), oddValue(dice)]])
  return oddValue(dice)
}

export const mutateText = (text: string, dice: Dice): string => {
  const at = dice.below(text.length + 1)
  const kind = dice.below(5)
  if (kind === 0) return text.slice(0, at)
  if (kind === 1) return text.slice(0, at) + oddText(dice) + text.slice(at)
  if (kind === 2) return text.slice(0, at) + text.slice(at + 1)
  if (kind === 3) return text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase()
  return text + text
}

/** JSON as text, mostly valid; now and then what only a text can be. */
export const mutateJson = (value: Json, dice: Dice): Buffer => {
  let changed = value
  for (let n = dice.below(3); n >= 0; n--) changed = mutateValue(changed, dice)
  const text = JSON.stringify(changed) ?? ''
  const kind = dice.below(12)
  if (kind === 0) return mutateBytes(Buffer.from(text), dice)
  if (kind === 1) return Buffer.from(text.replace(/"(\w+)":/, '"$1":0,"$1":'))
  if (kind === 2) return Buffer.from(`\ufeff${text}`)
  if (kind === 3) return Buffer.from(text.replaceAll('a', '\\u0061').replace('"', '"\\ud800'))
  if (kind === 4) return Buffer.from(`${'['.repeat(dice.pick([10, 33, 5000, 60_000]))}`)
  if (kind === 5) return Buffer.from(text, 'utf16le')
  return Buffer.from(text)
}

export const mutateBytes = (bytes: Uint8Array, dice: Dice): Buffer => {
  const copy = Buffer.from(bytes)
  const at = dice.below(copy.length + 1)
  const kind = dice.below(7)
  if (kind === 0) return copy.subarray(0, at)
  if (kind === 1) return Buffer.concat([copy.subarray(0, at), dice.bytes(1 + dice.below(20)), copy.subarray(at)])
  if (kind === 2)
    return Buffer.concat([copy.subarray(0, at), copy.subarray(Math.min(copy.length, at + 1 + dice.below(8)))])
  if (kind === 3) return Buffer.concat([copy, copy.subarray(at)])
  if (kind === 4) {
    copy.fill(dice.pick([0, 255]), at, Math.min(copy.length, at + 1 + dice.below(8)))
    return copy
  }
  for (let n = 1 + dice.below(4); n > 0 && copy.length > 0; n--) {
    const i = dice.below(copy.length)
    copy[i] = (copy[i] ?? 0) ^ (1 << dice.below(8))
  }
  return copy
}

/** CBOR that is right at first sight: lengths that lie, endless items, bombs of depth. */
export const oddCbor = (dice: Dice): Buffer => {
  const kind = dice.below(9)
  if (kind === 0) return Buffer.from('5bffffffffffffffff', 'hex')
  if (kind === 1) return Buffer.from('9f'.repeat(1 + dice.below(500)), 'hex')
  if (kind === 2) return Buffer.alloc(1 + dice.below(20_000), 0x81)
  if (kind === 3) return Buffer.from('bf61618080ff', 'hex')
  if (kind === 4) return Buffer.from('a2616101616102', 'hex')
  if (kind === 5) return Buffer.from('bb000000ffffffffff', 'hex')
  if (kind === 6) return Buffer.from('c0'.repeat(1 + dice.below(200)), 'hex')
  if (kind === 7) return Buffer.from('f97e00', 'hex')
  return dice.bytes(dice.below(100))
}
