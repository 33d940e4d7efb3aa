import { type CborItem, decodeCbor, entryOf } from '../../core/judge/cbor.ts'
import type { Bytes } from '../../core/protocol/bytes.ts'
import type { Bench, Fact, Found } from './inspection.ts'
import { cborNodes } from './parts.ts'
import { timeText } from './word-kinds.ts'

/** CTAP 2.2 section 11.5.1: seven bytes are seventeen digits, fewer are fewer. */
const DIGITS = [0, 3, 5, 8, 10, 13, 15, 17] as const

export const hybridCodeFound = (text: string, { now }: Bench): Found | undefined => {
  const digits = /^FIDO:\/([0-9]+)$/i.exec(text)?.[1]
  if (digits === undefined) return undefined
  const bytes = bytesOf(digits)
  const decoded = bytes === undefined ? undefined : decodeCbor(bytes)
  if (bytes === undefined || decoded?.ok !== true || decoded.value.item.type !== 'map') {
    return { kind: 'hybrid-code', checks: [{ name: 'hybrid_code_unreadable', outcome: 'failed' }], verdict: 'refused' }
  }
  const { item } = decoded.value
  const nodes = cborNodes(item, '', 0).map((node) =>
    node.id === '1' ? { ...node, value: '(the secret of the code)' } : node,
  )
  return {
    kind: 'hybrid-code',
    facts: factsOf(item, now),
    parts: [{ name: 'CBOR', bytes: withoutSecret(bytes, item), note: '', nodes }],
  }
}

type CborMap = Extract<CborItem, { readonly type: 'map' }>

const factsOf = (map: CborMap, now: number): readonly Fact[] => {
  const [key, domains, time, hint] = [0, 2, 3, 5].map((member) => entryOf(map, member))
  const purpose =
    hint?.type === 'text' ? { ga: 'signing_in' as const, mc: 'registering' as const }[hint.value] : undefined
  return [
    ...(purpose === undefined ? [] : ([['for', { code: purpose }]] as const)),
    ...(key?.type === 'bytes'
      ? ([['public key', { code: 'compressed_point', params: { count: key.value.length } }]] as const)
      : []),
    ...(domains?.type === 'integer' ? ([['tunnel domains known', String(domains.value)]] as const) : []),
    ...(time?.type === 'integer'
      ? ([
          [
            'made',
            {
              code: 'age',
              params: { at: timeText(Number(time.value) * 1000), seconds: Math.round(now / 1000 - Number(time.value)) },
            },
          ],
        ] as const)
      : []),
  ]
}

/** The secret lets its owner answer in place of the phone. */
const withoutSecret = (bytes: Bytes, map: CborMap): Bytes => {
  const secret = entryOf(map, 1)
  const shown = bytes.slice()
  if (secret !== undefined) shown.fill(0, secret.start, secret.end)
  return shown
}

const bytesOf = (digits: string): Bytes | undefined => {
  const out: number[] = []
  for (let at = 0; at < digits.length; ) {
    const take = Math.min(17, digits.length - at)
    const size = DIGITS.indexOf(take as (typeof DIGITS)[number])
    if (size <= 0) return undefined
    let value = BigInt(digits.slice(at, at + take))
    for (let i = 0; i < size; i++) {
      out.push(Number(value & 0xffn))
      value >>= 8n
    }
    if (value > 0n) return undefined
    at += take
  }
  return Uint8Array.from(out)
}
