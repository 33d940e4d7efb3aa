import type { PhoneWord } from '../../core/contract/errors.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { seamsOf } from '../authenticator/faults/fault.ts'
import { getAssertion } from '../authenticator/get-assertion.ts'
import { makeCredential } from '../authenticator/make-credential.ts'
import { isCertified } from '../authenticator/models.ts'
import type { AuthenticatorRefusal, AuthenticatorRefusalCode } from '../authenticator/refusals.ts'
import type { CredentialSource, Seams } from '../authenticator/seams.ts'
import { seamsOfEdits } from './edited-answer.ts'
import { modelOf } from './model.ts'
import { definitionsOf, type PhoneCore } from './phone-core.ts'
import { type CredentialStorage, type PhoneRefusal, type Prompt, refusePhone } from './phone-state.ts'
import type { OpenPrompt, PreparedAnswer } from './stored-form.ts'

/** The phone's word for each refusal of the authenticator. */
const WORDS = {
  malformed_options: 'cannot_authenticate',
  rp_id_not_for_origin: 'cannot_authenticate',
  no_supported_algorithm: 'unsupported_algorithm',
  credential_excluded: 'already_registered',
  resident_key_unavailable: 'cannot_authenticate',
  user_verification_unavailable: 'cannot_authenticate',
  large_blob_unavailable: 'cannot_authenticate',
  no_matching_credential: 'no_matching_credential',
} as const satisfies Record<AuthenticatorRefusalCode, PhoneWord>

const refusalOf = ({ code, got }: AuthenticatorRefusal): PhoneRefusal => {
  const word = WORDS[code]
  const reason = { code: 'authenticator_refuses', params: { why: code, got } } as const
  return { ...refusePhone(word, word === 'cannot_authenticate' ? { reason } : {}), by: 'authenticator' }
}

const NO_CREDENTIALS: CredentialSource = { forRp: () => [] }

/** Makes the answer and stores its credential before anything is sent, as real phones do. */
export const prepareAnswer = async (
  core: PhoneCore,
  { prompt, public_key: asked, struck }: OpenPrompt,
  storage: CredentialStorage,
): Promise<Result<PreparedAnswer, PhoneRefusal>> => {
  const { keyring, ports } = core
  const { kind } = asked
  const model = modelOf(core.record())
  const { attestation } = model
  const makers =
    kind === 'registration' && isCertified(attestation) ? await ports.makers.for(attestation) : ok(ports.makers.known())
  if (!makers.ok) return makers
  const authenticator = {
    random: core.random('authenticator'),
    now: () => ports.clock.now(),
    attestationKeys: makers.value,
  }
  const { origin, relayed } = signedOrigin(prompt)
  const edited = core.editedAnswers.get(prompt.msg_id)
  const edits = edited === undefined ? [] : [{ apply: { seams: seamsOfEdits(edited) } }]
  const bends = [...definitionsOf(struck), ...edits]
  const seams = withRelayedOrigin(relayed, bends.length === 0 ? {} : seamsOf(bends))
  if (asked.kind === 'registration') {
    const made = await makeCredential(
      {
        options: asked.options,
        origin,
        model,
        storage,
        userVerified: true,
        // The phone already has the passkey of the edited answer, and would refuse to make another one.
        existing: edited === undefined ? keyring.source : NO_CREDENTIALS,
        seams,
      },
      authenticator,
    )
    if (!made.ok) return err(refusalOf(made.error))
    const { response, credential } = made.value
    const kept = await keyring.keep(storage, { name: prompt.credential_name, credential })
    if (!kept.ok) return kept
    return ok({ kind, body: { response, storage }, credential_id: credential.id, storage })
  }
  const signed = await getAssertion(
    { options: asked.options, origin, userVerified: true, credentials: keyring.source, seams },
    authenticator,
  )
  if (!signed.ok) return err(refusalOf(signed.error))
  const { response, credential } = signed.value
  const where = keyring.storageOf(credential.id) ?? 'chip'
  const updated = await keyring.update(credential)
  if (!updated.ok) return updated
  return ok({ kind, body: { response }, credential_id: credential.id, storage: where })
}

/** If a lookalike site relayed the code, the client data names that site, although the phone shows the RP. */
const signedOrigin = ({ origin, rp }: Prompt): { readonly origin: string; readonly relayed?: string } => {
  const [own = origin] = rp.origins
  return rp.origins.includes(origin) ? { origin } : { origin: own, relayed: origin }
}

const withRelayedOrigin = (relayed: string | undefined, seams: Seams): Seams => {
  if (relayed === undefined) return seams
  const { clientData = (draft) => draft } = seams
  return { ...seams, clientData: (draft, context) => clientData({ ...draft, origin: relayed }, context) }
}
