import { makeMessageId } from '../../core/protocol/ids.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type { PhoneActionParameters } from '../authenticator/faults/phone-actions.ts'
import { accountProof } from './account.ts'
import { prepareAnswer } from './answer.ts'
import { asArray, asText, type Conduct, cutOff, empty, hangingUp, notJson, tooLarge, trickling } from './app-client.ts'
import { type ActionAt, actionsOf } from './armed-faults.ts'
import type { Send } from './attempt-steps.ts'
import { isHeaderText } from './header-text.ts'
import type { PhoneCore } from './phone-core.ts'
import type { OpenPrompt } from './phone-record.ts'

type Context = { readonly core: PhoneCore; readonly open: OpenPrompt; readonly parameters: PhoneActionParameters }
/** Faults that only delay the answer. */
type Hold = 'answer-at-last-moment' | 'answer-after-expiry' | 'answer-later'
type Bend = (context: Context) => (next: Send) => Send

const otherKind = { registration: 'authentication', authentication: 'registration' } as const

const conducting =
  (conduct: Conduct): Bend =>
  () =>
  (next) =>
  (upload) =>
    next({ ...upload, conduct })

/** Once so, and then as it should be. */
const atFirst =
  (conduct: Conduct): Bend =>
  () =>
  (next) =>
  async (upload) => {
    await next({ ...upload, conduct })
    return next(upload)
  }

/** The result of the extra action is reported separately: the verdict stays on the screen. */
const afterwards =
  (act: (context: Context, next: Send, upload: Parameters<Send>[0]) => ReturnType<Send>): Bend =>
  (context) =>
  (next) =>
  async (upload) => {
    const verdict = await next(upload)
    const more = await act(context, next, upload)
    if (!more.ok) context.core.tell('problem', undefined, { word: more.error.word })
    return verdict
  }

/** A token of another device: of another phone on the bench, else of a device made for this in the account. */
export const withOtherDevice = async <T>(core: PhoneCore, use: (token: string) => Promise<T>): Promise<T> => {
  const sibling = core.ports.siblings().find((other) => other !== core && other.record().device !== undefined)
  const token = sibling?.record().device?.token
  if (token !== undefined) return use(token)
  const { account, name } = core.record()
  const { name: accountName, phone, secret = '' } = account
  const { client, appUrl } = core.ports
  const body = {
    account: { name: accountName, phone, proof: accountProof({ name: accountName, phone, secret }) },
    device_name: `${name} (other)`,
  }
  const signed = await client.exchange({ method: 'POST', url: `${appUrl()}/devices`, body })
  const made = signed.ok ? signed.value.data.device_token : undefined
  const other = isHeaderText(made) ? made : ''
  const result = await use(other)
  await client.exchange({ method: 'DELETE', url: `${appUrl()}/devices/self`, token: other })
  return result
}

const differently = afterwards(async ({ core, open }, next, upload) => {
  const storage = upload.body.storage === 'cloud' ? 'cloud' : 'chip'
  const anew = await core.exclusive(() => prepareAnswer(core, open, storage))
  if (!anew.ok) return anew
  const result = await next({ ...upload, body: anew.value.body })
  if (anew.value.kind === 'registration') await core.exclusive(() => core.keyring.discard(anew.value.credential_id))
  return result
})

const toOtherMessage: Bend =
  ({ core, open }) =>
  (next) =>
  (upload) => {
    const { id, kind } = open.prompt
    const others = core.record().prompts.filter(({ prompt }) => prompt.id !== id)
    const other = others.find(({ prompt }) => prompt.kind === kind)?.prompt.msg_id
    return next({ ...upload, msgId: other ?? makeMessageId(core.random('fault')) })
  }

const replay: Bend =
  ({ core }) =>
  (next) =>
  (upload) =>
    next({ ...upload, body: core.lastAnswers.get(upload.credentialId)?.body ?? upload.body })

const BENDS: Readonly<Record<Exclude<ActionAt<'answer'>, Hold>, Bend>> = {
  'answer-twice': afterwards((_, next, upload) => next(upload)),
  'answer-differently': differently,
  'answer-from-other-phone':
    ({ core }) =>
    (next) =>
    (upload) =>
      withOtherDevice(core, (token) => next({ ...upload, token })),
  'answer-other-message': toOtherMessage,
  'answer-at-other-endpoint': () => (next) => (upload) => next({ ...upload, kind: otherKind[upload.kind] }),
  'replay-answer': replay,
  'reject-after-answer': afterwards(({ core }, _, { msgId }) =>
    core.call({ method: 'POST', path: `/messages/${msgId}/reject`, body: {} }),
  ),
  'drop-token': () => (next) => (upload) => next({ ...upload, token: '' }),
  'upload-slowly':
    ({ core, parameters: { piece_bytes: pieceBytes = 256, pause_ms: pauseMs = 100 } }) =>
    (next) =>
    (upload) =>
      next({ ...upload, conduct: trickling(core.ports.wall, { pieceBytes, pauseMs }) }),
  'upload-twice-at-once': () => (next) => async (upload) => {
    const [first] = await Promise.all([next(upload), next(upload)])
    return first
  },
  'lose-response': atFirst(hangingUp),
  'lose-response-for-good': conducting(hangingUp),
  'cut-upload': conducting(cutOff),
  'cut-upload-and-retry': atFirst(cutOff),
  'upload-not-json': conducting(notJson),
  'upload-array': conducting(asArray),
  'upload-as-text': conducting(asText),
  'upload-too-large': conducting(tooLarge),
  'upload-empty': conducting(empty),
}

const isBend = (action: string): action is keyof typeof BENDS => Object.hasOwn(BENDS, action)

/** The faults' changes to sending, in the order in which they were armed. */
export const bendsOf = (core: PhoneCore, open: OpenPrompt): readonly ((next: Send) => Send)[] =>
  actionsOf(open.struck).flatMap(({ action, parameters }) =>
    isBend(action) ? BENDS[action]({ core, open, parameters }) : [],
  )

const lastMoment = ({ prompt }: OpenPrompt): Millis => prompt.expires_at * 1000 - 1

/** The service's expiry may be within the second that the phone knows. */
const afterExpiry = ({ prompt }: OpenPrompt): Millis => (prompt.expires_at + 1) * 1000

type Until = (open: OpenPrompt, now: Millis, parameters: PhoneActionParameters) => Millis

const HOLDS: Readonly<Record<Hold, Until>> = {
  'answer-at-last-moment': lastMoment,
  'answer-after-expiry': afterExpiry,
  'answer-later': (_, now, { delay_ms: ms = 0 }) => now + ms,
}

const isHold = (action: string): action is Hold => Object.hasOwn(HOLDS, action)

/** The end of the answer's delay, and the attempt without the fault that caused it. */
export const heldUntil = (
  open: OpenPrompt,
  now: Millis,
): { readonly open: OpenPrompt; readonly time: Millis } | undefined => {
  const times = actionsOf(open.struck).flatMap(({ action, parameters }) =>
    isHold(action) ? HOLDS[action](open, now, parameters) : [],
  )
  if (times.length === 0) return undefined
  const struck = open.struck.filter((one) => !actionsOf([one]).some(({ action }) => isHold(action)))
  return { open: { ...open, struck }, time: Math.max(...times) }
}
