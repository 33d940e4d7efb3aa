import { fromBase64 } from '../../core/judge/base64.ts'
import { type CborMap, decodeCbor, findEntry } from '../../core/judge/cbor.ts'
import { type Certificate, decodeCertificate } from '../../core/judge/certificate.ts'
import { parseAuthorization } from '../../core/protocol/authorization.ts'
import type { Bytes } from '../../core/protocol/bytes.ts'
import { parseJsonOrNothing } from '../../core/protocol/json.ts'
import { parseMessageAddress } from '../../core/protocol/message-address.ts'
import { parseSvcDate } from '../../core/protocol/time.ts'
import { inspectCertificates } from './certificates.ts'
import { recogniseCurl } from './curl-command.ts'
import { type Fact, factsIn, type InspectContext, type Recognised, refusedAs } from './inspection.ts'
import { recogniseJwe, recogniseJws } from './jws.ts'
import { cborNodes, decodedPart } from './parts.ts'
import { inspectJson } from './recognise-json.ts'
import { recogniseOrigin } from './recognise-web.ts'
import { timeText, WORD_KINDS } from './recognise-word.ts'
import { recogniseRequest, recogniseResponse } from './signed-request.ts'

const LONGEST_LINE = 64 * 1024
/** Number of characters that are used to recognise a file. */
const HEAD = 64 * 1024

type Recogniser = (text: string, bench: InspectContext) => Recognised | undefined | Promise<Recognised | undefined>

/** Undefined for an unrecognised text, which may be encoded bytes. */
export const inspectText = async (text: string, bench: InspectContext): Promise<Recognised | undefined> => {
  for (const recognise of text.length > LONGEST_LINE ? LONG_KINDS : [...LONG_KINDS, ...SHORT_KINDS]) {
    const found = await recognise(text, bench)
    if (found !== undefined) return found
  }
  return undefined
}

const json: Recogniser = (text, bench) => {
  if (text.startsWith('{"format":"handset-trace"')) return { kind: 'trace', facts: [['packed', { code: 'no' }]] }
  const value = /^[[{]/.test(text) ? parseJsonOrNothing(text) : undefined
  return value === undefined ? undefined : inspectJson(value, bench)
}

const messageAddress: Recogniser = (text) => {
  const address = parseMessageAddress(text)
  if (!address.ok) return undefined
  const { baseUrl, kind, msgId } = address.value
  return { kind: 'message-address', facts: factsIn({ for: kind, msg_id: msgId, base_url: baseUrl }) }
}

const authorization: Recogniser = (text) => {
  const value = text.replace(/^Authorization:\s*/i, '')
  if (!value.startsWith('SVC-HMAC-SHA256 ') || value.includes('\n')) return undefined
  const parsed = parseAuthorization(value)
  if (!parsed.ok) return refusedAs('authorization-header', parsed.error.code)
  const { form, signedHeaders, signature } = parsed.value
  const named =
    parsed.value.form === 'general' ? { 'access key': parsed.value.accessKeyId, scope: parsed.value.scope } : {}
  const facts = factsIn({ form, ...named, 'signed headers': signedHeaders.join(', '), signature })
  return { kind: 'authorization-header', facts }
}

const stringToSign: Recogniser = (text) => {
  const [algorithm = '', date = '', scope = '', hash = '', ...rest] = text.split('\n')
  if (!algorithm.startsWith('SVC-HMAC-') || rest.length > 0 || !/^[0-9a-f]{64}$/i.test(hash)) return undefined
  return { kind: 'string-to-sign', facts: factsIn({ algorithm, date, scope, 'request hash': hash }) }
}

const canonicalRequest: Recogniser = (text) => {
  const lines = text.split('\n')
  const [method = '', path = '', query = ''] = lines
  const hash = lines.at(-1) ?? ''
  if (lines.length < 6 || !/^[A-Z]+$/.test(method) || !path.startsWith('/') || !/^[0-9a-f]{64}$/i.test(hash))
    return undefined
  const signed = lines.at(-2) ?? ''
  return {
    kind: 'canonical-request',
    facts: factsIn({ method, path, query, 'signed headers': signed, 'body hash': hash }),
  }
}

const svcDate: Recogniser = (text) => {
  const time = /^\d{8}T\d{6}Z$/.test(text) ? parseSvcDate(text) : undefined
  if (time === undefined) return undefined
  return time.ok
    ? { kind: 'svc-date', facts: [['time', new Date(time.value).toISOString()]] }
    : refusedAs('svc-date', time.error)
}

const eventStream: Recogniser = (text) => {
  // A data URL also begins with `data:`.
  if (/^data:[^,\s]*;base64,/.test(text)) return undefined
  const lines = text.slice(0, HEAD).split(/\r?\n/)
  const events = lines.filter((line) => /^data:/.test(line)).length
  return events > 0 && lines.every((line) => line === '' || /^(?:data|event|id|retry)?:/.test(line))
    ? { kind: 'event-stream', facts: [['events', String(events)]] }
    : undefined
}

/** OpenSSH: the kind of key, its bytes, and a comment. */
const sshKey: Recogniser = (text) => {
  const [, type, comment = ''] =
    /^((?:sk-)?(?:ssh-|ecdsa-sha2-)[a-z0-9@.-]+) [A-Za-z0-9+/]{40,}={0,2}(?: ([^\n]*))?$/.exec(text) ?? []
  return type === undefined
    ? undefined
    : { kind: 'ssh-key', facts: factsIn({ type, label: comment === '' ? undefined : comment }) }
}

const testReport: Recogniser = (text) => {
  const root = /^(?:<\?xml[^>]*\?>\s*)?<testsuites?\b/.test(text)
  const count = (tag: string) => String(text.split(`<${tag}`).length - 1)
  return root
    ? { kind: 'test-report', facts: factsIn({ cases: count('testcase'), failures: count('failure') }) }
    : undefined
}

/** Recognised by the words at the start of its lines; the scenario is not parsed. */
const yaml: Recogniser = (text) => {
  const keys = new Set([...text.slice(0, HEAD).matchAll(/^([a-z_]+):(?:\s|$)/gm)].map(([, key]) => key))
  if (keys.has('steps')) {
    const steps = [...text.matchAll(/^\s+- [a-z_]+:/gm)].length
    return { kind: 'scenario', facts: factsIn({ name: /^name:\s*(.+)$/m.exec(text)?.[1], steps: String(steps) }) }
  }
  return keys.size > 1 ? { kind: 'yaml', facts: [['keys', [...keys].join(', ')]] } : undefined
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\s]*)-----END \1-----/g

/** A chain has fewer; larger bundles are cut. */
const MAX_CERTIFICATES = 100

/** RFC 7468: one block, or the certificates of a chain. */
const pemFound = async (text: string, bench: InspectContext): Promise<Recognised | undefined> => {
  if (!text.includes('-----BEGIN ')) return undefined
  const blocks = [...text.matchAll(BLOCK)].map(([, label = '', body = '']) => ({
    label,
    bytes: fromBase64(body.replace(/\s+/g, '')),
  }))
  if (blocks.some(({ label }) => label.endsWith('PRIVATE KEY'))) return { kind: 'private-key' }
  const certificates = blocks.slice(0, MAX_CERTIFICATES).flatMap(({ label, bytes }): readonly Certificate[] => {
    const decoded = label.endsWith('CERTIFICATE') && bytes !== undefined ? decodeCertificate(bytes) : undefined
    return decoded?.ok === true ? [decoded.value] : []
  })
  if (certificates.length > 0 && certificates.length === Math.min(blocks.length, MAX_CERTIFICATES))
    return inspectCertificates(certificates, bench)
  const [first] = blocks
  if (first?.label.endsWith('CERTIFICATE REQUEST') === true) return { kind: 'certificate-request' }
  const inner = first?.bytes === undefined ? undefined : await bench.inspect(first.bytes, ['PEM'])
  return inner ?? { ...refusedAs('pem', 'pem_unreadable'), facts: factsIn({ label: first?.label ?? 'none' }) }
}

const LONG_KINDS: readonly Recogniser[] = [
  ...[json, pemFound, recogniseRequest, recogniseResponse, recogniseJws, eventStream, testReport, yaml],
]

/** CTAP 2.2 section 11.5.1: seven bytes are written as seventeen digits; the index is the number of bytes. */
const DIGITS: readonly number[] = [0, 3, 5, 8, 10, 13, 15, 17]

const hybridCodeFound = (text: string, { now }: InspectContext): Recognised | undefined => {
  const digits = /^FIDO:\/([0-9]+)$/i.exec(text)?.[1]
  if (digits === undefined) return undefined
  const bytes = bytesOf(digits)
  const decoded = bytes === undefined ? undefined : decodeCbor(bytes)
  if (bytes === undefined || decoded?.ok !== true || decoded.value.item.type !== 'map')
    return refusedAs('hybrid-code', 'hybrid_code_unreadable')
  const { item } = decoded.value
  const nodes = cborNodes(item, '', 0).map((node) =>
    node.id === '1' ? { ...node, value: '(the secret of the code)' } : node,
  )
  return {
    kind: 'hybrid-code',
    facts: factsOf(item, now),
    parts: [decodedPart('CBOR', withoutSecret(bytes, item), nodes)],
  }
}

const factsOf = (map: CborMap, now: number): readonly Fact[] => {
  const [key, domains, time, hint] = [0, 2, 3, 5].map((member) => findEntry(map, member))
  const purpose =
    hint?.type === 'text' ? { ga: 'signing_in' as const, mc: 'registering' as const }[hint.value] : undefined
  const made = time?.type === 'integer' ? Number(time.value) : undefined
  const age = (at: number) => ({ at: timeText(at * 1000), seconds: Math.round(now / 1000 - at) })
  return factsIn({
    for: purpose && { code: purpose },
    'public key': key?.type === 'bytes' ? { code: 'compressed_point', params: { count: key.value.length } } : undefined,
    'tunnel domains known': domains?.type === 'integer' ? String(domains.value) : undefined,
    made: made === undefined ? undefined : { code: 'age', params: age(made) },
  })
}

/** Removes the QR secret, with which others could answer in place of the phone. */
const withoutSecret = (bytes: Bytes, map: CborMap): Bytes => {
  const secret = findEntry(map, 1)
  const shown = bytes.slice()
  if (secret !== undefined) shown.fill(0, secret.start, secret.end)
  return shown
}

const bytesOf = (digits: string): Bytes | undefined => {
  const out: number[] = []
  for (const group of digits.match(/.{1,17}/g) ?? []) {
    const size = DIGITS.indexOf(group.length)
    if (size < 0) return undefined
    let value = BigInt(group)
    for (let i = 0; i < size; i++) {
      out.push(Number(value & 0xffn))
      value >>= 8n
    }
    if (value > 0n) return undefined
  }
  return Uint8Array.from(out)
}

const SHORT_KINDS: readonly Recogniser[] = [
  ...[
    hybridCodeFound,
    messageAddress,
    authorization,
    stringToSign,
    canonicalRequest,
    recogniseJwe,
    recogniseCurl,
    svcDate,
  ],
  ...[...WORD_KINDS, recogniseOrigin, sshKey],
]
