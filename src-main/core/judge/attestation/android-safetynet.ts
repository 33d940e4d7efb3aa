import { type Bytes, concat, fromBase64url, fromUtf8, utf8 } from '../../protocol/bytes.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { fromBase64, objectFromBase64url, toBase64 } from '../base64.ts'
import { attributeValue, NAME_ATTRIBUTE_OID, nameEvidence } from '../certificate.ts'
import type { CheckList } from '../check-list.ts'
import { showValue } from '../describe.ts'
import { ownMember } from '../response-json.ts'
import {
  type AttestationInput,
  checkCertificateSignature,
  defineProcedure,
  readCertificates,
  readStatement,
} from './format.ts'

const HOST = 'attest.android.com'

/** Maximum age of a response. SafetyNet's documentation demands a fresh one but gives no figure. */
const FRESH_MS = 60_000

/** RSA algorithms of RFC 7518 §3.1. ECDSA is missing: its signature in a JWS is r followed by s, not DER. */
const JWS_ALGORITHMS: Readonly<Record<string, number>> = { RS256: -257, RS384: -258, RS512: -259, PS256: -37 }

/** WebAuthn §8.5, deprecated. */
export const verifyAndroidSafetyNet = defineProcedure('basic', async (list, input) => {
  const members = readStatement(list, input.statement, { ver: 'text', response: 'bytes' })
  if (members === undefined) return undefined
  list.check('statement_version', members.ver !== '', { word: 'safetynet_version_missing' })
  const jws = parseJws(members.response)
  if (!list.found('response_is_jws', jws, { word: 'safetynet_response_malformed' })) return undefined
  await checkPayload(list, jws.payload, input)
  const trustPath = readCertificates(list, jws.x5c, input.relaxed)
  if (trustPath === undefined) return undefined
  const [certificate] = trustPath
  list.check('certificate_of_safetynet', attributeValue(certificate.subject, NAME_ATTRIBUTE_OID.commonName) === HOST, {
    word: 'safetynet_host_mismatch',
    expected: HOST,
    received: nameEvidence(certificate.subject),
  })
  const check = { certificate, algorithm: jws.algorithm, data: jws.signed, signature: jws.signature }
  await checkCertificateSignature(list, check, input.crypto)
  return trustPath
})

/** RFC 7515 §3.1: the compact serialization, with the certificates in the header. */
const parseJws = (response: Bytes) => {
  const [headerText, payloadText, signatureText, ...rest] = (fromUtf8(response) ?? '').split('.')
  if (headerText === undefined || payloadText === undefined || signatureText === undefined || rest.length > 0)
    return undefined
  const header = objectFromBase64url(headerText)
  const payload = objectFromBase64url(payloadText)
  const signature = fromBase64url(signatureText)
  if (header === undefined || payload === undefined || !signature.ok) return undefined
  const name = ownMember(header, 'alg')
  const algorithm = typeof name === 'string' && Object.hasOwn(JWS_ALGORITHMS, name) ? JWS_ALGORITHMS[name] : undefined
  const chain = ownMember(header, 'x5c')
  const x5c = Array.isArray(chain) ? chain.map((item) => (typeof item === 'string' ? fromBase64(item) : undefined)) : []
  if (algorithm === undefined || !x5c.every((item) => item !== undefined)) return undefined
  return { algorithm, x5c, payload, signed: utf8(`${headerText}.${payloadText}`), signature: signature.value }
}

const checkPayload = async (list: CheckList, payload: JsonObject, input: AttestationInput): Promise<void> => {
  const data = concat(input.authenticatorData.bytes, input.clientDataHash)
  const expected = toBase64(await input.crypto.digest('SHA-256', data))
  const nonce = ownMember(payload, 'nonce')
  list.check('nonce_hash', nonce === expected, {
    word: 'safetynet_nonce_mismatch',
    expected: JSON.stringify(expected),
    received: showValue(nonce),
  })
  const intact = ownMember(payload, 'ctsProfileMatch')
  list.check('device_intact', intact === true, {
    word: 'safetynet_integrity_failed',
    expected: { code: 'device_intact' },
    received: showValue(intact),
  })
  const time = ownMember(payload, 'timestampMs')
  const fresh = typeof time === 'number' && time <= input.now && time > input.now - FRESH_MS
  list.check('response_fresh', fresh, {
    word: 'safetynet_timestamp_stale',
    expected: { code: 'minute_before', params: { time: input.now } },
    received: showValue(time),
  })
}
