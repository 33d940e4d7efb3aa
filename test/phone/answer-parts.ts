import { createHash, createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { decode } from 'cbor-x'
import type { FaultSeam } from '../../src-main/authenticator/faults/fault.ts'
import type { Sent } from './sent.ts'

/**
 * An answer taken apart where faults strike it, by other means than the product's own. What is not there, or not in the
 * form that it should have, is undefined.
 */
export type AnswerParts = {
  readonly 'client data': Buffer | undefined
  readonly 'authenticator data': Buffer | undefined
  /** The attestation object but for its authenticator data. */
  readonly attestation: Attestation | Buffer | undefined
  readonly 'assertion signature': Buffer | undefined
  /** What a registration repeats of what is attested (WebAuthn §5.2.1.1). */
  readonly copies: Members
  /** What stands around all these. */
  readonly protocol: Members
}

export type AnswerPart = keyof AnswerParts

type Members = Readonly<Record<string, unknown>>
type Attestation = { readonly fmt: unknown; readonly attStmt: Members; readonly around: Buffer }

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {})

const bytesOf = (value: unknown): Buffer | undefined =>
  typeof value === 'string' && /^[\w-]*$/.test(value) ? Buffer.from(value, 'base64url') : undefined

const openObject = (object: Buffer | undefined): { authData?: Buffer; attestation: AnswerParts['attestation'] } => {
  try {
    const { authData, fmt, attStmt, ...rest } = decode(object ?? Buffer.alloc(0)) as Members
    if (object !== undefined && authData instanceof Uint8Array && Object.keys(rest).length === 0) {
      const at = object.indexOf(authData)
      const around = Buffer.concat([object.subarray(0, at), object.subarray(at + authData.length)])
      return { authData: Buffer.from(authData), attestation: { fmt, attStmt: membersOf(attStmt), around } }
    }
  } catch {
    // It is no CBOR: then it is all of one piece.
  }
  return { attestation: object }
}

const innerOf = (sent: Sent): Members => membersOf(membersOf(membersOf(JSON.parse(sent.body)).response).response)

export const partsOf = (sent: Sent): AnswerParts => {
  const { response: answer, ...around } = membersOf(JSON.parse(sent.body))
  const { response, ...outer } = membersOf(answer)
  const { clientDataJSON, attestationObject, authenticatorData, signature, publicKey, publicKeyAlgorithm, ...rest } =
    membersOf(response)
  const { authData, attestation } = openObject(bytesOf(attestationObject))
  const registers = attestationObject !== undefined
  return {
    'client data': bytesOf(clientDataJSON),
    'authenticator data': registers ? authData : bytesOf(authenticatorData),
    attestation,
    'assertion signature': bytesOf(signature),
    copies: registers ? { authenticatorData, publicKey, publicKeyAlgorithm } : {},
    protocol: { ...around, ...outer, response: rest },
  }
}

export const partsThatDiffer = (honest: AnswerParts, struck: AnswerParts): readonly AnswerPart[] =>
  (Object.keys(honest) as AnswerPart[]).filter((part) => !isDeepStrictEqual(honest[part], struck[part]))

/** Where in an answer a fault of the authenticator is to be seen. */
export const PART_OF: Readonly<Record<FaultSeam, AnswerPart>> = {
  'client data': 'client data',
  'authenticator data': 'authenticator data',
  attestation: 'attestation',
  'assertion signature': 'assertion signature',
  protocol: 'protocol',
  transport: 'protocol',
  // Of the formats only SafetyNet's statement tells a time.
  time: 'attestation',
}

/** What is computed over a part, or repeats it, and so follows it. */
export const FOLLOWS: Readonly<Partial<Record<AnswerPart, readonly AnswerPart[]>>> = {
  'client data': ['attestation', 'assertion signature'],
  'authenticator data': ['attestation', 'assertion signature', 'copies'],
}

/** Whether the signed parts are those of the honest answer, however they are spelled and wherever they stand, or missing. */
export const hasSignedPartsOf = (honest: Sent, struck: Sent): boolean => {
  const { clientDataJSON, attestationObject, authenticatorData, signature } = innerOf(struck)
  const repeated = 'attestationObject' in innerOf(honest)
  const signed = [clientDataJSON, attestationObject, signature, ...(repeated ? [] : [authenticatorData])]
  const known = new Set(Object.values(innerOf(honest)))
  return signed.every((text) => typeof text !== 'string' || known.has(text.replace(/=*$/, '')))
}

/** Whether what is signed in an answer has an honest signature: by the key that must have made it, over what stands there. */
export const isSignedHonestly = (parts: AnswerParts, credentialKey: KeyObject): boolean => {
  const { 'client data': clientData, 'authenticator data': authData, attestation, 'assertion signature': own } = parts
  if (clientData === undefined || authData === undefined) return false
  const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
  if (own !== undefined) return verify('sha256', signed, credentialKey, own)
  if (attestation === undefined || Buffer.isBuffer(attestation) || attestation.fmt !== 'packed') return false
  const { x5c, sig } = attestation.attStmt
  const key = Array.isArray(x5c) ? new X509Certificate(x5c[0]).publicKey : credentialKey
  return sig instanceof Uint8Array && verify('sha256', signed, key, sig)
}

export const credentialKeyOf = (registration: Sent | undefined): KeyObject => {
  const { publicKey } = registration === undefined ? {} : innerOf(registration)
  return createPublicKey({ key: Buffer.from(String(publicKey), 'base64url'), format: 'der', type: 'spki' })
}
