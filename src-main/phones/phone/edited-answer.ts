import type { AnswerEdits, AnswerSigning, Splice } from '../../core/contract/resending.ts'
import { type Bytes, concat, fromHex, toBase64url } from '../../core/protocol/bytes.ts'
import { parseJsonOrNothing, withoutUndefined } from '../../core/protocol/json.ts'
import { unwrap } from '../../core/protocol/result.ts'
import type { AuthenticationResponseJson, RegistrationResponseJson } from '../../core/protocol/webauthn-json.ts'
import { type AuthenticatorDataDraft, encodeAuthenticatorData } from '../authenticator/authenticator-data.ts'
import { type ClientDataDraft, encodeClientData } from '../authenticator/client-data.ts'
import type { Seams } from '../authenticator/seams.ts'

export type EditedAnswer = { readonly edits: AnswerEdits; readonly signing: AnswerSigning }

/**
 * Seams that apply edits to one answer: before it is signed or, if its honest signature is kept, afterwards.
 * Everything that is not edited is made anew for each answer.
 */
export const createEditSeams = ({ edits, signing }: EditedAnswer): Seams => {
  const sent: { clientData?: Bytes; authenticatorData?: Bytes } = {}
  let fields: AuthenticatorDataDraft | undefined
  let members: ClientDataDraft | undefined
  const kept = signing === 'kept'
  const withSent = <R extends RegistrationResponseJson | AuthenticationResponseJson>(draft: R): R => {
    const { credential_id: id } = edits
    const texts = withoutUndefined({
      clientDataJSON: sent.clientData && toBase64url(sent.clientData),
      authenticatorData: sent.authenticatorData && toBase64url(sent.authenticatorData),
    })
    return { ...draft, ...withoutUndefined({ id, rawId: id }), response: { ...draft.response, ...texts } }
  }
  return {
    clientData: (draft) => {
      members = withMembers(draft, edits)
      return kept ? draft : members
    },
    clientDataJson: (bytes) => {
      const encoded = kept && members !== undefined ? encodeClientData(members) : bytes
      sent.clientData = spliced(encoded, edits.client_data_bytes)
      return kept ? bytes : sent.clientData
    },
    authenticatorData: (draft) => {
      fields = withFields(draft, edits)
      return kept ? draft : fields
    },
    authenticatorDataBytes: (bytes) => {
      const encoded = kept && fields !== undefined ? encodeAuthenticatorData(fields) : bytes
      sent.authenticatorData = spliced(encoded, edits.authenticator_data_bytes)
      return kept ? bytes : sent.authenticatorData
    },
    attestationObject: (draft) => ({ ...draft, authData: sent.authenticatorData ?? draft.authData }),
    attestationObjectBytes: (bytes) => spliced(bytes, edits.attestation_object_bytes),
    assertionSignature: (bytes) => spliced(bytes, edits.signature_bytes),
    registrationResponse: withSent,
    authenticationResponse: (draft) => {
      const { userHandle, ...response } = draft.response
      const handle = edits.user_handle === undefined ? userHandle : (edits.user_handle ?? undefined)
      return withSent({ ...draft, response: { ...response, ...withoutUndefined({ userHandle: handle }) } })
    },
  }
}

/** A member without a value is removed. */
const withMembers = (draft: ClientDataDraft, { client_data: members = [] }: AnswerEdits): ClientDataDraft => ({
  ...draft,
  ...Object.fromEntries(members.map(({ name, value, json }) => [name, value ?? (json && parseJsonOrNothing(json))])),
})

const octets = (hex: string): Bytes => unwrap(fromHex(hex), 'The contract let this through as hex')

const octetsIn = (hex: string | undefined): Bytes | undefined => (hex === undefined ? undefined : octets(hex))

const withFields = (draft: AuthenticatorDataDraft, edits: AnswerEdits): AuthenticatorDataDraft => {
  const { rp_id_hash: hash, flags, counter, aaguid, attested_credential_id: id, public_key: key } = edits
  const { attested } = draft
  const credentialId = octetsIn(id)
  const changed = {
    ...{ aaguid: octetsIn(aaguid), credentialId, credentialIdLength: credentialId?.length },
    publicKey: octetsIn(key),
  }
  return {
    ...draft,
    ...withoutUndefined({ rpIdHash: octetsIn(hash), flags, signCount: counter }),
    ...(attested && { attested: { ...attested, ...withoutUndefined(changed) } }),
  }
}

/** Applies the splices from last to first, so that all positions refer to the original bytes. */
const spliced = (bytes: Bytes, splices: readonly Splice[] = []): Bytes =>
  [...splices]
    .sort((one, other) => other.at - one.at)
    .reduce((all, { at, take, put }) => concat(all.subarray(0, at), octets(put), all.subarray(at + take)), bytes)
