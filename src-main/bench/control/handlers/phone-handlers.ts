import type { phoneRoutes } from '../../../core/contract/control/phone-routes.ts'
import type { Body } from '../../../core/contract/control/routes.ts'
import { notFound, type Refusal, refuse } from '../../../core/contract/errors.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { ScanInput } from '../../../phones/phone/phone.ts'
import type { PhoneResult, PhoneState } from '../../../phones/phone/phone-state.ts'
import type { PhoneRef, PromptRef } from '../../../phones/phone/phones.ts'
import { type Answer, answerWith, type ControlParts, type Handlers, type RouteIds } from '../handler.ts'
import { answered } from '../leases/lease.ts'
import { phoneQuotaRefusal } from '../workspaces.ts'

type PhoneCall = { readonly workspace: string; readonly params: { readonly id: string } }

export const phoneHandlers = ({
  admin,
  phones,
  leases,
  turns,
}: ControlParts): Handlers<RouteIds<typeof phoneRoutes>> => {
  const plain =
    (command: (ref: PhoneRef) => PhoneResult) =>
    (call: PhoneCall): Answer<PhoneState> =>
      answered(command(refOf(call)))

  /** The prompt that the caller named, or else the one on the screen, or else the newest. */
  const promptOf = (call: PhoneCall & { readonly body: { readonly prompt?: string } }): Result<string, Refusal> => {
    if (call.body.prompt !== undefined) return ok(call.body.prompt)
    const phone = phones.get(refOf(call))
    if (phone === undefined) return err(notFound('phone', call.params.id))
    const prompt = (phone.screen.kind === 'request' ? phone.screen.prompt : undefined) ?? phone.prompts.at(-1)
    return prompt === undefined ? err({ ...refuse('phone_refused'), word: 'no_such_prompt' }) : ok(prompt.id)
  }

  const onPrompt =
    <B extends { readonly prompt?: string }>(command: (ref: PromptRef, choice: Omit<B, 'prompt'>) => PhoneResult) =>
    async (call: PhoneCall & { readonly body: B }): Answer<PhoneState> => {
      const prompt = promptOf(call)
      if (!prompt.ok) return prompt
      const { prompt: _, ...choice } = call.body
      return answered(command({ ...refOf(call), prompt: prompt.value }, choice))
    }

  return {
    'phones.list': async ({ workspace }) => ok({ phones: phones.list(workspace) }),
    'phones.create': ({ workspace, body: { lease, ...wanted } }) => {
      const create = (): Answer<PhoneState> => answered(phones.create(workspace, wanted))
      const make = () => leases.makePhone({ workspace, lease }, create)
      const { quota } = admin.workspaces.about(workspace)
      if (quota?.phones === undefined) return make()
      return turns.inTurn(workspace, async () => {
        const beyond = phoneQuotaRefusal(quota, phones.list(workspace).length + 1)
        return beyond === undefined ? make() : err(beyond)
      })
    },
    'phones.get': async (call) => {
      const phone = phones.get(refOf(call))
      return phone === undefined ? err(notFound('phone', call.params.id)) : ok(phone)
    },
    'phones.patch': (call) => answered(phones.patch(refOf(call), call.body)),
    'phones.delete': (call) => answerWith(answered(phones.remove(refOf(call))), () => ({})),
    'phones.scan': (call) => answered(phones.scan(refOf(call), scanInput(call.body))),
    'phones.open': (call) => answered(phones.open({ ...refOf(call), msg_id: call.body.msg_id })),
    'phones.dismiss': (call) => answered(phones.dismiss({ ...refOf(call), msg_id: call.body.msg_id })),
    'phones.home': plain(phones.goHome),
    'phones.approve': onPrompt<Body<'phones.approve'>>(phones.approve),
    'phones.reject': onPrompt<Body<'phones.reject'>>(phones.reject),
    'phones.fail-fingerprint': onPrompt(phones.failFingerprint),
    'phones.sign-in': (call) => answered(phones.signIn({ ...refOf(call), ...call.body })),
    'phones.sign-out': plain(phones.signOut),
    'phones.wipe': plain(phones.wipe),
    'phones.lose': plain(phones.lose),
    'phones.sync': plain(phones.sync),
    'phones.forget-credential': (call) =>
      answered(phones.forgetCredential({ ...refOf(call), credential_id: call.params.credential_id })),
    'phones.arm': (call) => answered(phones.arm(refOf(call), call.body)),
    'phones.disarm-all': plain((ref) => phones.disarm(ref)),
    'phones.disarm': (call) => answered(phones.disarm({ ...refOf(call), fault_id: call.params.fault_id })),
  }
}

const refOf = ({ workspace, params }: PhoneCall): PhoneRef => ({ workspace, phone: params.id })

const scanInput = ({ seen_on: seenOn, ...body }: Body<'phones.scan'>): ScanInput => ({
  ...pictureOf(body),
  ...(seenOn === undefined ? {} : { seenOn }),
})

const pictureOf = (body: Body<'phones.scan'>): ScanInput => {
  if ('url' in body) return { url: body.url }
  if ('image' in body) {
    const picture = new Uint8Array(Buffer.from(body.image.data, 'base64'))
    return body.glance === undefined ? { picture } : { picture, glance: body.glance }
  }
  const { width, height, data } = body.rgba
  return { picture: { width, height, rgba: new Uint8Array(Buffer.from(data, 'base64')) } }
}
