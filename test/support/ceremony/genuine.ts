import { readdirSync, readFileSync } from 'node:fs'
import type { RelaxableRule } from '../../../src-main/core/contract/profile.ts'
import { decodeAttestationObject } from '../../../src-main/core/judge/attestation-object.ts'
import { decodeAuthenticatorData } from '../../../src-main/core/judge/authenticator-data.ts'
import type { RegistrationCase } from '../../../src-main/core/judge/ceremony-case.ts'
import { type Bytes, fromBase64url, toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { USER_HANDLE } from './registration.ts'

/** What a device in the field has sent; see the README beside the files. */
export type GenuineStatement = {
  readonly name: string
  readonly device: string
  readonly format: string
  readonly source: Readonly<Record<'registry' | 'package' | 'version' | 'path' | 'licence', string>>
  readonly rp_id: string
  readonly origin: string
  readonly challenge: string
  /** A time at which its certificates are in force. */
  readonly now: string
  readonly outcome: {
    readonly verifies?: true
    readonly refused?: string
    readonly why?: string
    /** The words of the profile with which it verifies all the same. */
    readonly verifies_with?: readonly RelaxableRule[]
    /** The root that its chain leads to, when we have it. */
    readonly root?: string
  }
  readonly client_data_json: string
  readonly attestation_object: string
}

const directory = new URL('../../vectors/attestation/', import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, directory), 'utf8'))

export const genuineStatements: readonly GenuineStatement[] = readdirSync(new URL('statements/', directory))
  .sort()
  .map((file) => ({ name: file.replace('.json', ''), ...read(`statements/${file}`) }))

const rootFile: Readonly<Record<string, { readonly certificate: string }>> = read('roots.json')

export const genuineRoots: Readonly<Record<string, Bytes>> = Object.fromEntries(
  Object.entries(rootFile).map(([name, { certificate }]) => [
    name,
    Uint8Array.from(Buffer.from(certificate, 'base64')),
  ]),
)

const ALGORITHMS = [-7, -8, -35, -36, -257, -37, -48, -49, -50]

const LENIENT = ['non-canonical-cbor'] as const

const bytesOf = (text: string): Bytes => {
  const bytes = fromBase64url(text)
  if (!bytes.ok) throw new Error('a vector is not base64url')
  return bytes.value
}

/** The ceremony that the statement belongs to, as the relying party of then would have it judged. */
export const genuineRegistration = (statement: GenuineStatement): RegistrationCase => {
  const object = decodeAttestationObject(bytesOf(statement.attestation_object), LENIENT).value
  const data = object?.authenticatorData && decodeAuthenticatorData(object.authenticatorData, LENIENT).value
  const id = toBase64url(data?.attested?.credentialId ?? new Uint8Array())
  return {
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: statement.client_data_json, attestationObject: statement.attestation_object },
    },
    options: {
      rp: { id: statement.rp_id, name: statement.rp_id },
      user: { id: USER_HANDLE, name: 'user', displayName: 'user' },
      challenge: statement.challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    },
    origins: [statement.origin],
    rpId: statement.rp_id,
    attestation: 'accept-any',
    roots: [],
    now: Date.parse(statement.now),
    credentialKnown: () => false,
  }
}
