import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers'
import { toBase64url } from '../../../../src-main/core/protocol/bytes.ts'
import type { RegistrationResponseJson } from '../../../../src-main/core/protocol/webauthn-json.ts'
import { octets } from './simplewebauthn.ts'

/** The attestation object's members, read by the independent library. */
export const attestationOf = (response: RegistrationResponseJson) => {
  const object = decodeAttestationObject(octets(response.response.attestationObject))
  return { fmt: object.get('fmt'), attStmt: object.get('attStmt'), authData: object.get('authData') }
}

/** The response once for each statement, as if it were the only one: the library does not know compound attestation. */
export const statementsOf = (response: RegistrationResponseJson): readonly RegistrationResponseJson[] => {
  const { fmt, attStmt, authData } = attestationOf(response)
  if (String(fmt) !== 'compound') return [response]
  return (attStmt as unknown as Map<string, never>[]).map((one) => {
    const object = isoCBOR.encode(new Map([...one, ['authData', authData]]))
    return { ...response, response: { ...response.response, attestationObject: toBase64url(object) } }
  })
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
