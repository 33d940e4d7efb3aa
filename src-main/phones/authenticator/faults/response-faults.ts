import { fromBase64url, toBase64url } from '../../../core/protocol/bytes.ts'
import { isObject } from '../../../core/protocol/json.ts'
import type { AuthenticationResponseJson, RegistrationResponseJson } from '../../../core/protocol/webauthn-json.ts'
import { publicKeyDer } from '../private-key.ts'
import type { SeamContext, Seams } from '../seams.ts'
import { anotherKey } from './another-key.ts'
import type { FaultTable } from './fault.ts'

type Json = Readonly<Record<string, unknown>>

/** Changes registration and authentication answers alike. They are plain JSON, so the result may have any form. */
const answer = (change: (answer: Json, context: SeamContext) => unknown): { readonly seams: Seams } => ({
  seams: {
    registrationResponse: (draft, context) => change(draft, context) as RegistrationResponseJson,
    authenticationResponse: (draft, context) => change(draft, context) as AuthenticationResponseJson,
  },
})

const inner = (change: (response: Json, context: SeamContext) => unknown) =>
  answer((draft, context) => ({ ...draft, response: change(draft.response as Json, context) }))

/** Changes the client output of an extension that has one. */
const results = (name: string, change: (output: Json) => unknown) =>
  answer(({ clientExtensionResults: outputs, ...draft }) => {
    const output = isObject(outputs) ? outputs[name] : undefined
    return {
      ...draft,
      clientExtensionResults: isObject(output) ? { ...(outputs as Json), [name]: change(output) } : outputs,
    }
  })

const without = (name: string) => ({ [name]: undefined })

const unknownId = ({ credential }: SeamContext): string => {
  const id = fromBase64url(credential.id)
  return id.ok ? toBase64url(id.value.map((octet) => octet ^ 0xff)) : credential.id
}

const both = { ceremony: 'both', seam: 'protocol' } as const
const registration = { ...both, ceremony: 'registration' } as const
const authentication = { ...both, ceremony: 'authentication' } as const

/** Faults in the JSON around the signed parts (WebAuthn §5.1.8). */
export const responseFaults = {
  'answer-list': { ...both, expected: 'malformed_response', apply: answer((draft) => [draft]) },
  'answer-type-wrong': {
    ...both,
    expected: 'credential_type_mismatch',
    apply: answer((draft) => ({ ...draft, type: 'password' })),
  },
  'id-missing': {
    ...both,
    expected: 'credential_id_missing',
    apply: answer((draft) => ({ ...draft, ...without('id') })),
  },
  'id-padded': {
    ...both,
    expected: 'credential_id_malformed',
    apply: answer((draft) => ({ ...draft, id: `${draft.id}=`, rawId: `${draft.rawId}=` })),
  },
  'id-differs-from-raw-id': {
    ...both,
    expected: 'raw_id_mismatch',
    apply: answer((draft, context) => ({ ...draft, rawId: unknownId(context) })),
  },
  'response-missing': {
    ...both,
    expected: 'response_member_missing',
    apply: answer((draft) => ({ ...draft, ...without('response') })),
  },
  'extension-results-missing': {
    ...both,
    expected: 'client_extension_results_malformed',
    apply: answer((draft) => ({ ...draft, ...without('clientExtensionResults') })),
  },
  'prf-output-too-short': {
    ...both,
    expected: 'prf_output_length',
    needs: { profile: { extensions: ['prf'] } },
    apply: results('prf', ({ results: outputs, ...prf }: Json) => ({
      ...prf,
      ...(isObject(outputs) && { results: { ...outputs, first: String(outputs.first).slice(0, 32) } }),
    })),
  },
  'resident-key-contradicted': {
    ...registration,
    expected: 'resident_key_contradicted',
    needs: { profile: { extensions: ['credProps'], resident_key: 'required' } },
    apply: results('credProps', () => ({ rk: false })),
  },
  'large-blob-written-unasked': {
    ...authentication,
    expected: 'large_blob_contradicted',
    needs: { profile: { extensions: ['largeBlob'] } },
    apply: results('largeBlob', () => ({ written: true })),
  },
  'client-data-missing': {
    ...both,
    expected: 'response_member_missing',
    apply: inner((response) => ({ ...response, ...without('clientDataJSON') })),
  },
  'client-data-mistyped': {
    ...both,
    expected: 'response_member_malformed',
    apply: inner((response) => ({ ...response, clientDataJSON: {} })),
  },
  'client-data-in-plain-base64': {
    ...both,
    expected: 'not_base64url',
    apply: inner((response) => ({ ...response, clientDataJSON: `${response.clientDataJSON}==` })),
  },
  'unknown-members': { ...both, expected: 'success', apply: answer((draft) => ({ ...draft, futureMember: true })) },

  'attestation-object-missing': {
    ...registration,
    expected: 'response_member_missing',
    apply: inner((response) => ({ ...response, ...without('attestationObject') })),
  },
  'answer-of-other-kind': {
    ...both,
    expected: 'response_kind_mismatch',
    apply: {
      seams: {
        registrationResponse: ({ response: { attestationObject, ...response }, ...draft }) =>
          ({
            ...draft,
            response: { ...response, signature: attestationObject },
          }) as unknown as RegistrationResponseJson,
        authenticationResponse: ({ response: { signature, ...response }, ...draft }) =>
          ({
            ...draft,
            response: { ...response, attestationObject: signature },
          }) as unknown as AuthenticationResponseJson,
      },
    },
  },
  'id-differs-from-attested': {
    ...registration,
    expected: 'credential_id_mismatch',
    apply: answer((draft, context) => ({ ...draft, id: unknownId(context), rawId: unknownId(context) })),
  },
  'authenticator-data-copy-differs': {
    ...registration,
    expected: 'authenticator_data_mismatch',
    apply: inner((response) => ({
      ...response,
      authenticatorData: `AAAA${String(response.authenticatorData).slice(4)}`,
    })),
  },
  'public-key-copy-differs': {
    ...registration,
    expected: 'public_key_mismatch',
    apply: inner((response, context) => ({ ...response, publicKey: toBase64url(publicKeyDer(anotherKey(context))) })),
  },
  'algorithm-copy-differs': {
    ...registration,
    expected: 'public_key_algorithm_mismatch',
    apply: inner((response) => ({ ...response, publicKeyAlgorithm: -65535 })),
  },
  'copies-missing': {
    ...registration,
    expected: 'success',
    apply: inner((response) => ({
      ...response,
      authenticatorData: undefined,
      publicKey: undefined,
      publicKeyAlgorithm: undefined,
      transports: undefined,
    })),
  },
  'transports-mistyped': {
    ...registration,
    expected: 'response_member_malformed',
    apply: inner((response) => ({ ...response, transports: 'internal' })),
  },

  'foreign-credential': {
    ...authentication,
    expected: 'credential_not_allowed',
    apply: answer((draft, context) => ({ ...draft, id: unknownId(context), rawId: unknownId(context) })),
  },
  'user-handle-wrong': {
    ...authentication,
    expected: 'user_handle_mismatch',
    apply: inner((response) => ({ ...response, userHandle: 'c29tZWJvZHktZWxzZQ' })),
  },
  'user-handle-empty': {
    ...authentication,
    expected: 'user_handle_mismatch',
    apply: inner((response) => ({ ...response, userHandle: '' })),
  },
  'user-handle-mistyped': {
    ...authentication,
    expected: 'response_member_malformed',
    apply: inner((response) => ({ ...response, userHandle: 1 })),
  },
  'user-handle-missing': {
    ...authentication,
    expected: 'success',
    apply: inner((response) => ({ ...response, ...without('userHandle') })),
  },
} as const satisfies FaultTable
