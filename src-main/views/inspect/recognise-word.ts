import { type ErrorName, errorNameOf, errors } from '../../core/contract/errors.ts'
import { webauthnErrors } from '../../core/contract/inspection.ts'
import { FAILURE_WORDS } from '../../core/contract/judge/failure-words.ts'
import { algorithmName, coseAlgorithms, findAlgorithm } from '../../core/judge/algorithms.ts'
import { EXTENSION } from '../../core/judge/certificate.ts'
import { fromHex } from '../../core/protocol/bytes.ts'
import { factsIn, type Recognised } from './inspection.ts'

type Recogniser = (text: string) => Recognised | undefined

/** Codes and names as they appear in logs; the caller adds their sentences. */
const errorCode: Recogniser = (text) => {
  const name = /^\d{5}$/.test(text) ? errorNameOf(Number(text)) : Object.hasOwn(errors, text) ? text : undefined
  if (name === undefined) return undefined
  const { code, status, rule } = errors[name as ErrorName]
  return { kind: 'error-code', facts: factsIn({ name, code: String(code), 'HTTP status': String(status), rule }) }
}

/** A failure code, which a sentence may follow as in the result of a message. */
const failureWord: Recogniser = (text) => {
  const word = /^([a-z]+(?:_[a-z0-9]+)+)(?:$|: )/.exec(text)?.[1]
  return FAILURE_WORDS.some((known) => known === word)
    ? { kind: 'failure-word', facts: factsIn({ name: word }) }
    : undefined
}

/** A DOMException of navigator.credentials, as a console prints it. */
const webauthnError: Recogniser = (text) => {
  const found = /^(?:Uncaught (?:\(in promise\) )?)?(?:DOMException: |\[)?([A-Z][A-Za-z]+Error)(?:$|[:\]] ?)(.*)/s.exec(
    text,
  )
  const name = Object.keys(webauthnErrors).find((known) => known === found?.[1])
  const message = found?.[2]?.trim().split('\n')[0] || undefined
  return name === undefined ? undefined : { kind: 'webauthn-error', facts: factsIn({ name, message }) }
}

const coseAlgorithm: Recogniser = (text) => {
  const number = coseAlgorithms.find((each) => String(each) === text || findAlgorithm(each)?.name === text)
  const known = number === undefined ? undefined : findAlgorithm(number)
  if (number === undefined || known === undefined) return undefined
  const more = 'crv' in known ? known.crv : 'hash' in known ? known.hash : known.name
  return { kind: 'cose-algorithm', facts: factsIn({ algorithm: algorithmName(number), key: `${known.kty}, ${more}` }) }
}

const LATEST = 8.64e15

/** ISO 8601; a number outside the range of dates stays a number. */
export const timeText = (ms: number): string => (Math.abs(ms) <= LATEST ? new Date(ms).toISOString() : String(ms))

const OIDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(EXTENSION).map(([name, id]) => [id, name] as const),
  ['1.2.840.10045.2.1', 'id-ecPublicKey'],
  ['1.2.840.10045.3.1.7', 'P-256'],
  ['1.2.840.10045.4.3.2', 'ecdsa-with-SHA256'],
  ['1.2.840.113549.1.1.1', 'rsaEncryption'],
  ['1.2.840.113549.1.1.11', 'sha256WithRSAEncryption'],
  ['1.3.101.112', 'Ed25519'],
  ['2.23.133.8.3', 'tcg-kp-AIKCertificate'],
])

const objectIdentifier: Recogniser = (text) => {
  const id = /^(?:oid:)?([0-2](?:\.(?:0|[1-9]\d*)){4,30})$/i.exec(text)?.[1]
  return id === undefined ? undefined : { kind: 'oid', facts: factsIn({ id, name: OIDS.get(id) }) }
}

const EARLIEST_S = 1_000_000_000

const timestamp: Recogniser = (text) => {
  const ms = /^\d{13}$/.test(text)
    ? Number(text)
    : /^\d{10}$/.test(text) && Number(text) >= EARLIEST_S
      ? Number(text) * 1000
      : /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/.test(text)
        ? Date.parse(text)
        : Number.NaN
  return Number.isNaN(ms)
    ? undefined
    : { kind: 'timestamp', facts: factsIn({ time: timeText(ms), 'seconds since 1970': String(Math.floor(ms / 1000)) }) }
}

/** W3C Trace Context section 3.2. */
const traceparent: Recogniser = (text) => {
  const [, trace, parent, flags = ''] =
    /^(?:traceparent:\s*)?[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/i.exec(text) ?? []
  if (trace === undefined || parent === undefined) return undefined
  const sampled = { code: Number.parseInt(flags, 16) % 2 === 1 ? 'yes' : 'no' } as const
  return { kind: 'traceparent', facts: factsIn({ trace, parent, sampled }) }
}

const aaguid: Recogniser = (text) => {
  const uuid = /^\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i.exec(text)?.[1]?.toLowerCase()
  const hex = uuid?.replaceAll('-', '')
  return uuid === undefined || hex === undefined || !fromHex(hex).ok
    ? undefined
    : { kind: 'aaguid', facts: factsIn({ uuid, hex }) }
}

export const WORD_KINDS: readonly Recogniser[] = [
  ...[errorCode, failureWord, webauthnError, coseAlgorithm, objectIdentifier, timestamp, traceparent, aaguid],
]
