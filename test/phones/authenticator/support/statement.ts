import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import type { RegistrationResponseJson } from '../../../../src-main/core/protocol/webauthn-json.ts'
import { octets } from './simplewebauthn.ts'

/** The attestation object's members, read by the independent library. */
export const attestationOf = (response: RegistrationResponseJson) => {
  const object = decodeAttestationObject(octets(response.response.attestationObject))
  return { fmt: object.get('fmt'), attStmt: object.get('attStmt'), authData: object.get('authData') }
}

/** The certificates of a statement, leaf first; SafetyNet has them inside its JWS. */
export const chainOf = (response: RegistrationResponseJson): readonly Uint8Array[] => {
  const { attStmt } = attestationOf(response)
  const jws = attStmt.get('response')
  if (jws === undefined) return attStmt.get('x5c') ?? []
  const [header = ''] = Buffer.from(jws).toString().split('.')
  const { x5c } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { x5c: string[] }
  return x5c.map((text) => new Uint8Array(Buffer.from(text, 'base64')))
}
