import { fromBase64url, toBase64url } from '../../../core/protocol/bytes.ts'
import { isObject } from '../../../core/protocol/json.ts'
import type { AuthenticationResponseJson, RegistrationResponseJson } from '../../../core/protocol/webauthn-json.ts'
import { publicKeyDer } from '../private-key.ts'
import type { SeamContext, Seams } from '../seams.ts'
import { foreignKey } from './another-key.ts'
import { type FaultTable, faultsAt } from './fault.ts'

type Json = Readonly<Record<string, unknown>>

/** Replaces registration and authentication answers alike. They are plain JSON, so the result may have any form. */
const replaced = (change: (answer: Json, context: SeamContext) => unknown): Seams => ({
  registrationResponse: (draft, context) => change(draft, context) as RegistrationResponseJson,
  authenticationResponse: (draft, context) => change(draft, context) as AuthenticationResponseJson,
})

/** Changes members of the answer. */
const answer = (change: (answer: Json, context: SeamContext) => Json) =>
  replaced((draft, context) => ({ ...draft, ...change(draft, context) }))

/** Changes members of the answer's `response`. */
export const inner = (change: (response: Json, context: SeamContext) => Json) =>
  answer(({ response }, context) => ({ response: { ...(response as Json), ...change(response as Json, context) } }))

/** Sets members of the answer to fixed values; undefined removes a member. */
const answerWith = (changed: Json) => answer(() => changed)
export const innerWith = (changed: Json) => inner(() => changed)

/** Changes the client output of an extension that has one. */
const results = (name: string, change: (output: Json) => unknown) =>
  answer(({ clientExtensionResults: outputs }) => {
    const output = isObject(outputs) ? outputs[name] : undefined
    return isObject(output) ? { clientExtensionResults: { ...(outputs as Json), [name]: change(output) } } : {}
  })

const unknownId = ({ credential }: SeamContext): string => {
  const id = fromBase64url(credential.id)
  return id.ok ? toBase64url(id.value.map((octet) => octet ^ 0xff)) : credential.id
}

const foreignId = answer((_, context) => ({ id: unknownId(context), rawId: unknownId(context) }))

const both = faultsAt('both', 'protocol')
const registration = faultsAt('registration', 'protocol')
const authentication = faultsAt('authentication', 'protocol')

/** Faults in the JSON around the signed parts (WebAuthn §5.1.8). */
export const responseFaults = {
  'answer-list': both('malformed_response')(replaced((draft) => [draft])),
  'answer-type-wrong': both('credential_type_mismatch')(answerWith({ type: 'password' })),
  'id-missing': both('credential_id_missing')(answerWith({ id: undefined })),
  'id-padded': both('credential_id_malformed')(answer((draft) => ({ id: `${draft.id}=`, rawId: `${draft.rawId}=` }))),
  'id-differs-from-raw-id': both('raw_id_mismatch')(answer((_, context) => ({ rawId: unknownId(context) }))),
  'response-missing': both('response_member_missing')(answerWith({ response: undefined })),
  'extension-results-missing': both('client_extension_results_malformed')(
    answerWith({ clientExtensionResults: undefined }),
  ),
  'prf-output-too-short': both('prf_output_length', { profile: { extensions: ['prf'] } })(
    results('prf', ({ results: outputs, ...prf }: Json) => ({
      ...prf,
      ...(isObject(outputs) && { results: { ...outputs, first: String(outputs.first).slice(0, 32) } }),
    })),
  ),
  'resident-key-contradicted': registration('resident_key_contradicted', {
    profile: { extensions: ['credProps'], resident_key: 'required' },
  })(results('credProps', () => ({ rk: false }))),
  'large-blob-written-unasked': authentication('large_blob_contradicted', { profile: { extensions: ['largeBlob'] } })(
    results('largeBlob', () => ({ written: true })),
  ),
  'client-data-missing': both('response_member_missing')(innerWith({ clientDataJSON: undefined })),
  'client-data-mistyped': both('response_member_malformed')(innerWith({ clientDataJSON: {} })),
  'client-data-in-plain-base64': both('not_base64url')(
    inner((response) => ({ clientDataJSON: `${response.clientDataJSON}==` })),
  ),
  'unknown-members': both('success')(answerWith({ futureMember: true })),

  'attestation-object-missing': registration('response_member_missing')(innerWith({ attestationObject: undefined })),
  'answer-of-other-kind': both('response_kind_mismatch')({
    registrationResponse: ({ response: { attestationObject, ...response }, ...draft }) =>
      ({ ...draft, response: { ...response, signature: attestationObject } }) as unknown as RegistrationResponseJson,
    authenticationResponse: ({ response: { signature, ...response }, ...draft }) =>
      ({ ...draft, response: { ...response, attestationObject: signature } }) as unknown as AuthenticationResponseJson,
  }),
  'id-differs-from-attested': registration('credential_id_mismatch')(foreignId),
  'authenticator-data-copy-differs': registration('authenticator_data_mismatch')(
    inner((response) => ({ authenticatorData: `AAAA${String(response.authenticatorData).slice(4)}` })),
  ),
  'public-key-copy-differs': registration('public_key_mismatch')(
    inner((_, context) => ({ publicKey: toBase64url(publicKeyDer(foreignKey(context))) })),
  ),
  'algorithm-copy-differs': registration('public_key_algorithm_mismatch')(innerWith({ publicKeyAlgorithm: -65535 })),
  'copies-missing': registration('success')(
    innerWith({
      authenticatorData: undefined,
      publicKey: undefined,
      publicKeyAlgorithm: undefined,
      transports: undefined,
    }),
  ),
  'transports-mistyped': registration('response_member_malformed')(innerWith({ transports: 'internal' })),

  'foreign-credential': authentication('credential_not_allowed')(foreignId),
  'user-handle-wrong': authentication('user_handle_mismatch')(innerWith({ userHandle: 'c29tZWJvZHktZWxzZQ' })),
  'user-handle-empty': authentication('user_handle_mismatch')(innerWith({ userHandle: '' })),
  'user-handle-mistyped': authentication('response_member_malformed')(innerWith({ userHandle: 1 })),
  'user-handle-missing': authentication('success')(innerWith({ userHandle: undefined })),
} as const satisfies FaultTable
