import { utf8 } from '../../src-main/core/protocol/bytes.ts'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { type SigningInput, signingInputs } from './signing-inputs.ts'

export type SigningVector = SigningInput & {
  readonly canonical_request: string
  readonly string_to_sign: string
  readonly signature: string
  readonly authorization: string
  readonly authorization_short: string
}

const timeOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

const vectorOf = (input: SigningInput): SigningVector => {
  const { host, origin } = new URL(input.url)
  const request = {
    method: input.method,
    host,
    target: input.url.slice(origin.length),
    headers: input.headers,
    body: utf8(input.body),
  }
  const signed = (form: 'general' | 'short') => {
    const key = {
      accessKeyId: input.access_key_id,
      secretKey: input.secret_key,
      scopeIdentifier: input.scope_identifier,
      form,
    }
    const made = signRequest(request, key, timeOf(input.x_svc_date))
    if (!made.ok) throw new Error(`${input.name}: ${made.error.code}`)
    const octets = made.value.headers.find(([name]) => name === 'Authorization')?.[1] ?? ''
    return { ...made.value, authorization: Buffer.from(octets, 'latin1').toString('utf8') }
  }
  const general = signed('general')
  return {
    ...input,
    canonical_request: general.canonicalRequest,
    string_to_sign: general.stringToSign,
    signature: general.signature,
    authorization: general.authorization,
    authorization_short: signed('short').authorization,
  }
}

export const signingVectors = (): readonly SigningVector[] => signingInputs.map(vectorOf)
