import { coordinateSize, type PublicKey } from '../../core/judge/algorithms.ts'
import { fromBase64, objectFromBase64url } from '../../core/judge/base64.ts'
import { type Certificate, decodeCertificate } from '../../core/judge/certificate.ts'
import type { SignatureCheck } from '../../core/judge/crypto-port.ts'
import { integerPair } from '../../core/judge/spki.ts'
import { type Bytes, fromBase64url, utf8 } from '../../core/protocol/bytes.ts'
import type { JsonObject } from '../../core/protocol/json.ts'
import { inspectCertificates } from './certificates.ts'
import {
  type Check,
  type Fact,
  factsIn,
  type InspectContext,
  inspectionOf,
  type Recognised,
  UNAVAILABLE,
  withVerdict,
} from './inspection.ts'
import { decodePublicKey } from './public-key-in.ts'

/** RFC 7518 section 3.1, RFC 8037: the COSE algorithm with the same hash and padding. */
const ALGORITHMS: Readonly<Record<string, number>> = {
  ...{ RS256: -257, RS384: -258, RS512: -259, PS256: -37, PS384: -38, PS512: -39 },
  ...{ ES256: -7, ES384: -35, ES512: -36, EdDSA: -8 },
}

const LONGEST_HEADER = 128 * 1024

/** RFC 7515 section 3.1. */
export const recogniseJws = async (text: string, bench: InspectContext): Promise<Recognised | undefined> => {
  const dot = text.indexOf('.')
  // Only the payload may be long.
  if (dot < 0 || dot > LONGEST_HEADER) return undefined
  const [headerText = '', payloadText = '', signatureText = '', ...rest] = text.replace(/\s+/g, '').split('.', 4)
  if (rest.length > 0) return undefined
  const header = objectFromBase64url(headerText)
  const signature = fromBase64url(signatureText)
  if (header === undefined || typeof header.alg !== 'string' || !signature.ok) return undefined
  const chain = certificatesIn(header.x5c)
  const key = bench.given.publicKey === undefined ? chain[0]?.key : decodePublicKey(bench.given.publicKey)
  const data = utf8(`${headerText}.${payloadText}`)
  const checks = await signatureChecks({ name: header.alg, key, data, signature: signature.value }, bench)
  const within = chain.length === 0 ? [] : [inspectionOf(await inspectCertificates(chain, bench), ['x5c'])]
  const payload = objectFromBase64url(payloadText)
  return {
    ...(Array.isArray(payload?.entries) && typeof payload.nextUpdate === 'string'
      ? {
          kind: 'metadata-blob',
          facts: factsIn({
            ...{ number: String(payload.no), 'next update': payload.nextUpdate },
            entries: String(payload.entries.length),
          }),
        }
      : { kind: 'jws', facts: [...factsOf('header', header), ...factsOf('payload', payload ?? {})] }),
    ...withVerdict([...checks, ...(chain.length > 1 ? (within[0]?.checks ?? []) : [])]),
    missing: key === undefined && checks.length === 0 ? ['public-key'] : [],
    within,
  }
}

/** RFC 7516 section 3.1: five parts, of which only the header is readable. */
export const recogniseJwe = (text: string): Recognised | undefined => {
  const parts = text.replace(/\s+/g, '').split('.')
  const header = parts.length === 5 ? objectFromBase64url(parts[0] ?? '') : undefined
  return header === undefined || typeof header.enc !== 'string'
    ? undefined
    : { kind: 'jwe', facts: factsOf('header', header) }
}

type Signed = Pick<SignatureCheck, 'data' | 'signature'> & {
  readonly name: string
  readonly key: PublicKey | undefined
}

const signatureChecks = async (
  { name, key, data, signature }: Signed,
  { crypto }: InspectContext,
): Promise<readonly Check[]> => {
  if (name === 'none') return [{ name: 'jws_not_signed', outcome: 'failed' }]
  const algorithm = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined
  if (key === undefined) return []
  if (algorithm === undefined) return [{ name: 'signature', outcome: 'skipped', word: UNAVAILABLE, received: name }]
  const form = key.kty === 'EC2' ? derOfPair(signature, coordinateSize(key.crv)) : signature
  if (form === undefined) return [{ name: 'signature', outcome: 'failed' }]
  const verified = await crypto.verify({ algorithm, key, data, signature: form })
  if (!verified.ok) return [{ name: 'signature', outcome: 'skipped', word: UNAVAILABLE, received: name }]
  return [{ name: 'signature', outcome: verified.value ? 'passed' : 'failed', received: name }]
}

/** Converts r followed by s (RFC 7518 section 3.4) to DER, as the judge needs it. */
const derOfPair = (signature: Bytes, size: number): Bytes | undefined =>
  signature.length === 2 * size
    ? integerPair(digitsOf(signature.slice(0, size)), digitsOf(signature.slice(size)))
    : undefined

const digitsOf = (octets: Bytes): Bytes => octets.slice(octets.findIndex((octet) => octet !== 0))

const certificatesIn = (x5c: unknown): readonly Certificate[] =>
  (Array.isArray(x5c) ? x5c : []).flatMap((text) => {
    const bytes = typeof text === 'string' ? fromBase64(text) : undefined
    const decoded = bytes === undefined ? undefined : decodeCertificate(bytes)
    return decoded?.ok === true ? [decoded.value] : []
  })

const MAX_SHOWN = 120

const factsOf = (part: string, object: JsonObject): readonly Fact[] =>
  Object.entries(object).map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return [`${part}.${name}`, text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text]
  })
