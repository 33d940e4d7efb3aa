/** The steps of a phone towards the service in one attempt, each as an armed fault changes it. */

import { BODY_LIMIT } from '../../core/contract/schema.ts'
import { concat, toBase64url, utf8 } from '../../core/protocol/bytes.ts'
import { makeMessageId } from '../../core/protocol/ids.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import type { PhoneWord } from '../../core/protocol/reasons.ts'
import { err, ok } from '../../core/protocol/result.ts'
import type { Millis } from '../../core/protocol/time.ts'
import { rpIdFitsOrigin } from '../authenticator/client-data.ts'
import { changing, joinSeams } from '../authenticator/faults/fault.ts'
import type { PhoneActionParameters } from '../authenticator/faults/phone-action-names.ts'
import { getAssertion } from '../authenticator/get-assertion.ts'
import { makeCredential } from '../authenticator/make-credential.ts'
import { isAttestedFormat } from '../authenticator/models.ts'
import type { AuthenticatorRefusal, CredentialSource } from '../authenticator/seams.ts'
import { type AppAnswer, registerDevice, removeDevice, type UploadConduct } from './app-client.ts'
import type { BoundMessage } from './bound-message.ts'
import { createEditSeams } from './edited-answer.ts'
import { effectiveModel } from './model.ts'
import { type ActionAt, changesOf, faultDefinitions, type PhoneCore } from './phone-core.ts'
import {
  type CredentialStorage,
  isHeaderText,
  type PhoneRefusal,
  type PhoneResult,
  type Prompt,
  refusePhone,
} from './phone-state.ts'
import type { OpenPrompt, PreparedAnswer, TriggeredFault } from './stored-form.ts'

export type OpenPromptInput = {
  readonly msgId: string
  /** The kind in the address; the service's answer overrides it. */
  readonly kind: MessageKind
  readonly url: string
  /** Unix seconds; before binding it is known only from a push. */
  readonly expiresAt?: number | undefined
  readonly cameBy: Prompt['came_by']
  /** The origin of the page that showed the code, if it is not the RP's. */
  readonly seenOn?: string | undefined
}

export type BindMessage = () => PhoneResult<BoundMessage>

type Upload = {
  readonly msgId: string
  readonly kind: MessageKind
  readonly body: Readonly<Record<string, unknown>>
  readonly credentialId: string
  /** The token of another device. */
  readonly token?: string
  readonly conduct?: UploadConduct
}

export type SendUpload = (upload: Upload) => PhoneResult<AppAnswer>

type Context = { readonly core: PhoneCore; readonly open: OpenPrompt; readonly parameters: PhoneActionParameters }
type SendFault = (upload: Upload, next: SendUpload, context: Context) => ReturnType<SendUpload>

const otherKind = { registration: 'authentication', authentication: 'registration' } as const

const withConduct =
  (conduct: UploadConduct): SendFault =>
  (upload, next) =>
    next({ ...upload, conduct })

/** Sends the answer once with this conduct, then again normally. */
const atFirst =
  (conduct: UploadConduct): SendFault =>
  async (upload, next) => {
    await next({ ...upload, conduct })
    return next(upload)
  }

/** The phone hangs up once the response begins, so the service has handled the call but the phone gets no answer. */
const HANG_UP: UploadConduct = { hangsUp: true }

/** The connection breaks in the middle of the body. */
const CUT_OFF: UploadConduct = {
  write: (request, body) =>
    void request.write(body.subarray(0, body.length >> 1), () => request.destroy(new Error('cut off'))),
}

const bent = (bend: NonNullable<UploadConduct['bend']>): SendFault => withConduct({ bend })

/** Sends the body in pieces, with pauses in real time. */
const slowly: SendFault = (upload, next, { core, parameters }) => {
  const { piece_bytes: pieceBytes = 256, pause_ms: pauseMs = 100 } = parameters
  const { wall } = core.ports
  const write: UploadConduct['write'] = (request, body) => {
    const from = (start: number): void => {
      if (request.destroyed) return
      const end = start + Math.max(1, pieceBytes)
      request.write(body.subarray(start, end))
      if (end >= body.length) request.end()
      else wall.at(wall.now() + pauseMs, () => from(end))
    }
    from(0)
  }
  return next({ ...upload, conduct: { write } })
}

/** The result of the extra action is reported separately: the verdict stays on the screen. */
const afterwards =
  (act: SendFault): SendFault =>
  async (upload, next, context) => {
    const verdict = await next(upload)
    const more = await act(upload, next, context)
    if (!more.ok) context.core.report('problem', undefined, { word: more.error.word })
    return verdict
  }

/** Uses the token of another phone of the workspace; without one, signs in a temporary device for it. */
const withOtherDevice = async <T>(core: PhoneCore, use: (token: string) => Promise<T>): Promise<T> => {
  const sibling = core.ports.siblings().find((other) => other !== core && other.record().device !== undefined)
  const token = sibling?.record().device?.token
  if (token !== undefined) return use(token)
  const { account, name } = core.record()
  const signed = await registerDevice(core.ports, { ...account, secret: account.secret ?? '' }, `${name} (other)`)
  const made = signed.ok ? signed.value.data.device_token : undefined
  const other = isHeaderText(made) ? made : ''
  const result = await use(other)
  await removeDevice(core.ports, other)
  return result
}

const differently = afterwards(async (upload, next, { core, open }) => {
  const storage = upload.body.storage === 'cloud' ? 'cloud' : 'chip'
  const anew = await core.exclusive(() => prepareAnswer(core, open, storage))
  if (!anew.ok) return anew
  const result = await next({ ...upload, body: anew.value.body })
  if (anew.value.kind === 'registration') await core.exclusive(() => core.keyring.discard(anew.value.credential_id))
  return result
})

const toOtherMessage: SendFault = (upload, next, { core, open }) => {
  const { id, kind } = open.prompt
  const other = core.record().prompts.find(({ prompt }) => prompt.id !== id && prompt.kind === kind)
  return next({ ...upload, msgId: other?.prompt.msg_id ?? makeMessageId(core.random('fault')) })
}

const SEND_FAULTS: Readonly<Record<Exclude<ActionAt<'answer'>, keyof typeof HOLDS>, SendFault>> = {
  'answer-twice': afterwards((upload, next) => next(upload)),
  'answer-differently': differently,
  'answer-from-other-phone': (upload, next, { core }) => withOtherDevice(core, (token) => next({ ...upload, token })),
  'answer-other-message': toOtherMessage,
  'answer-at-other-endpoint': (upload, next) => next({ ...upload, kind: otherKind[upload.kind] }),
  'replay-answer': (upload, next, { core }) =>
    next({ ...upload, body: core.lastAnswers.get(upload.credentialId)?.body ?? upload.body }),
  'reject-after-answer': afterwards(({ msgId }, _, { core }) =>
    core.call({ method: 'POST', path: `/messages/${msgId}/reject`, body: {} }),
  ),
  'drop-token': (upload, next) => next({ ...upload, token: '' }),
  'upload-slowly': slowly,
  'upload-twice-at-once': async (upload, next) => (await Promise.all([next(upload), next(upload)]))[0],
  'lose-response': atFirst(HANG_UP),
  'lose-response-for-good': withConduct(HANG_UP),
  'cut-upload': withConduct(CUT_OFF),
  'cut-upload-and-retry': atFirst(CUT_OFF),
  'upload-not-json': bent((body) => body.slice(0, -1)),
  'upload-array': bent((body) => concat(utf8('['), body, utf8(']'))),
  'upload-as-text': withConduct({ contentType: 'text/plain' }),
  'upload-too-large': bent((body) => concat(body, new Uint8Array(BODY_LIMIT + 1 - body.length).fill(0x20))),
  'upload-empty': bent(() => new Uint8Array(0)),
}

/** Wraps the honest upload in the change of each triggered fault, in the order in which the faults were armed. */
export const withSendFaults = (core: PhoneCore, open: OpenPrompt, honest: SendUpload): SendUpload =>
  changesOf(SEND_FAULTS, open.struck).reduce<SendUpload>(
    (next, { change, parameters }) =>
      (upload) =>
        change(upload, next, { core, open, parameters }),
    honest,
  )

type Until = (open: OpenPrompt, now: Millis, parameters: PhoneActionParameters) => Millis

/** Faults that only delay the answer. */
const HOLDS = {
  'answer-at-last-moment': ({ prompt }) => prompt.expires_at * 1000 - 1,
  // The phone knows the expiry in whole seconds: the service's may be later in that second.
  'answer-after-expiry': ({ prompt }) => (prompt.expires_at + 1) * 1000,
  'answer-later': (_, now, { delay_ms: ms = 0 }) => now + ms,
} as const satisfies Readonly<Partial<Record<ActionAt<'answer'>, Until>>>

/** The end of the answer's delay, and the attempt without the fault that caused it. */
export const findDelayEnd = (
  open: OpenPrompt,
  now: Millis,
): { readonly open: OpenPrompt; readonly time: Millis } | undefined => {
  const times = changesOf<Until>(HOLDS, open.struck).map(({ change, parameters }) => change(open, now, parameters))
  if (times.length === 0) return undefined
  const others = open.struck.filter((one) => changesOf<Until>(HOLDS, [one]).length === 0)
  return { open: { ...open, struck: others }, time: Math.max(...times) }
}

type Opening = { readonly core: PhoneCore; readonly input: OpenPromptInput }

const MADE_UP_SECONDS = 180

/** The message that an app makes up if it skips the bind call, for the RP of its newest credential. */
const makeUp = ({ core, input: { kind } }: Opening): BoundMessage => {
  const rpId = core.keyring.list().at(-1)?.rp_id ?? 'localhost'
  const random = core.random('fault')
  const challenge = toBase64url(random.bytes(32))
  const name = core.record().account.name
  const common = {
    rp: { id: rpId, name: rpId, origins: [`https://${rpId}`] },
    user: { username: name, display_name: name },
    credential_name: '',
    expires_at: Math.floor(core.ports.clock.now() / 1000) + MADE_UP_SECONDS,
  }
  if (kind === 'authentication') {
    return { ...common, kind, public_key: { kind, options: { challenge, rpId, userVerification: 'preferred' } } }
  }
  const user = { id: toBase64url(random.bytes(32)), name, displayName: name }
  const options = { challenge, rp: { id: rpId, name: rpId }, user, pubKeyCredParams: [] }
  return { ...common, kind, public_key: { kind, options } }
}

type BindFault = (next: BindMessage, context: Opening) => ReturnType<BindMessage>

const BIND_FAULTS: Readonly<Record<Exclude<ActionAt<'scan'>, 'bind-after-expiry'>, BindFault>> = {
  'stop-after-scan': async (next) => {
    const bound = await next()
    return bound.ok ? err(refusePhone('app_killed')) : bound
  },
  'bind-twice': async (next) => {
    await next()
    return next()
  },
  'bind-from-other-phone': async (next, { core, input }) => {
    const bound = await next()
    const path = `/messages/${input.msgId}/bind`
    const other = await withOtherDevice(core, (token) => core.call({ method: 'POST', path, body: {}, token }))
    if (!other.ok) core.report('problem', undefined, { word: other.error.word })
    return bound
  },
  'skip-bind': async (_, context) => ok(makeUp(context)),
}

export const withBindFaults = (
  { core, input }: Opening,
  triggered: readonly TriggeredFault[],
  honest: BindMessage,
): BindMessage =>
  changesOf(BIND_FAULTS, triggered).reduce<BindMessage>(
    (next, { change }) =>
      () =>
        change(next, { core, input }),
    honest,
  )

// Longer than messages usually live, shorter than the service remembers them.
const USUAL_LIFE_MS = 200_000

/** The delay of a scan that binds after the expiry; undefined without this fault. */
export const bindDelay = (
  triggered: readonly TriggeredFault[],
  { expiresAt, now }: { readonly expiresAt: number | undefined; readonly now: number },
): number | undefined => {
  const [late] = changesOf({ 'bind-after-expiry': true }, triggered)
  if (late === undefined) return undefined
  const { delay_ms: given } = late.parameters
  return given ?? (expiresAt === undefined ? USUAL_LIFE_MS : (expiresAt + 1) * 1000 - now)
}

/** The refusals with a separate meaning for a phone; any other is shown with its reason. */
const WORDS: Readonly<Partial<Record<AuthenticatorRefusal['code'], PhoneWord>>> = {
  no_supported_algorithm: 'unsupported_algorithm',
  credential_excluded: 'already_registered',
  no_matching_credential: 'no_matching_credential',
}

const refusalOf = ({ code, got }: AuthenticatorRefusal): PhoneRefusal => {
  const word = WORDS[code]
  const reason = { code: 'authenticator_refuses', params: { why: code, got } } as const
  const refusal = word === undefined ? refusePhone('cannot_authenticate', { reason }) : refusePhone(word)
  return { ...refusal, by: 'authenticator' }
}

const NO_CREDENTIALS: CredentialSource = { forRp: () => [] }

/** Makes the answer and stores its credential before anything is sent, as real phones do. */
export const prepareAnswer = async (
  core: PhoneCore,
  { prompt, public_key: asked, struck }: OpenPrompt,
  storage: CredentialStorage,
): PhoneResult<PreparedAnswer> => {
  const { keyring, ports } = core
  const { kind } = asked
  const model = effectiveModel(core.record())
  const { attestation } = model
  const makers =
    kind === 'registration' && isAttestedFormat(attestation)
      ? await ports.makers.for(attestation === 'compound' ? 'packed' : attestation)
      : ok(ports.makers.known())
  if (!makers.ok) return makers
  const authenticator = {
    random: core.random('authenticator'),
    now: () => ports.clock.now(),
    attestationKeys: makers.value,
  }
  const { origins } = prompt.rp
  const isRelayed = !origins.includes(prompt.origin)
  const origin = isRelayed ? (origins[0] ?? prompt.origin) : prompt.origin
  // If a lookalike site relayed the code, the client data names that site, although the phone shows the RP.
  const relay = isRelayed ? [{ apply: { seams: changing('clientData')(() => ({ origin: prompt.origin })) } }] : []
  const edited = core.editedAnswers.get(prompt.msg_id)
  const edits = edited === undefined ? [] : [{ apply: { seams: createEditSeams(edited) } }]
  const seams = joinSeams([...relay, ...faultDefinitions(struck), ...edits])
  const rpId = asked.kind === 'registration' ? asked.options.rp.id : asked.options.rpId
  const about = { origin, related: await followsRelated(core, { rpId, origin }), userVerified: true, seams }
  if (asked.kind === 'registration') {
    // The phone already has the passkey of the edited answer, and would refuse to make another one.
    const existing = edited === undefined ? keyring.source : NO_CREDENTIALS
    const made = await makeCredential({ ...about, options: asked.options, model, storage, existing }, authenticator)
    if (!made.ok) return err(refusalOf(made.error))
    const { response, credential } = made.value
    const account = core.record().account.phone
    const kept = await keyring.keep(storage, { name: prompt.credential_name, credential, account })
    if (!kept.ok) return kept
    return ok({ kind, body: { response, storage }, credential_id: credential.id, storage })
  }
  const signed = await getAssertion({ ...about, options: asked.options, credentials: keyring.source }, authenticator)
  if (!signed.ok) return err(refusalOf(signed.error))
  const { response, credential } = signed.value
  const where = keyring.storageOf(credential.id) ?? 'chip'
  const updated = await keyring.update(credential)
  if (!updated.ok) return updated
  return ok({ kind, body: { response }, credential_id: credential.id, storage: where })
}

/** The list's address comes only from the phone's own setting, so a service cannot choose an address to fetch. */
const followsRelated = async (core: PhoneCore, asked: { readonly rpId: string; readonly origin: string }) => {
  const source = core.record().behaviour.related_origins
  if (source === undefined || rpIdFitsOrigin(asked)) return false
  return (await import('./related-origins.ts')).isRelatedOrigin({ source, ...asked })
}
