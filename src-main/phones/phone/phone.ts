import type { InboxMessage } from '../../core/contract/app/routes.ts'
import type { Body } from '../../core/contract/control/routes.ts'
import { type MessageAddress, parseMessageAddress } from '../../core/protocol/message-address.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { PhoneActionParameters } from '../authenticator/faults/phone-action-names.ts'
import { readMessageCode } from './camera.ts'
import { createInbox } from './inbox.ts'
import { checkAlgorithm, checkModel, findUsableAlgorithm } from './model.ts'
import {
  type ActionAt,
  changesOf,
  createAlarms,
  createPhoneCore,
  type PhoneCore,
  type PhonePorts,
  triggerFaults,
} from './phone-core.ts'
import { type PhoneResult, type PhoneState, refusePhone } from './phone-state.ts'
import type { Picture } from './picture.ts'
import { createPrompts } from './prompts.ts'
import { forgetDevice, signIn, signOut } from './sign-in.ts'
import { receiveSignal } from './signals.ts'
import type { PhoneRecord, TriggeredFault } from './stored-form.ts'

/** A null algorithm returns to the model's choice; so does a new model that lacks the chosen algorithm. */
export type PhonePatch = Body<'phones.patch'>

/** The phone owns the picture from now on. `glance`: a picture without a code is not a failure. */
export type ScanInput = ({ readonly url: string } | { readonly picture: Picture; readonly glance?: boolean }) & {
  /** The origin of the page that shows the code, if it is not the RP's. */
  readonly seenOn?: string
}

export type Phone = ReturnType<typeof createPhone>

export const createPhone = (ports: PhonePorts, record: PhoneRecord) => {
  const core: PhoneCore = createPhoneCore(ports, record, { inbox: () => inbox.state(), tokenDied: () => tokenDied() })
  const prompts = createPrompts(core, (msgId) => dropNotification(msgId))
  const alarms = createAlarms(ports.clock)
  const changed = (): Result<PhoneState, never> => {
    core.report('changed')
    return ok(core.view())
  }

  const inbox = createInbox({
    client: ports.client,
    wall: ports.wall,
    target: () => ({ url: `${ports.appUrl()}/inbox`, token: core.record().device?.token ?? '' }),
    lastEventId: () => core.record().last_event_id,
    onPush: (push, eventId) => receive(push, eventId),
    onSignal: (data) => receiveSignal(core, data),
    onState: () => core.report('changed'),
    onRefused: () => tokenDied(),
  })

  const tokenDied = (): void => {
    inbox.close()
    prompts.stop()
    forgetDevice(core)
    core.fail(refusePhone('signed_out'))
  }

  const openInbox = async (): Promise<void> => {
    const { device, network, lost } = core.record()
    if (device !== undefined && network === 'online' && !lost) await inbox.open()
  }

  const dropNotification = (msgId: string): void => {
    alarms.clear(`expire ${msgId}`)
    core.set({ notifications: core.record().notifications.filter(({ msg_id }) => msg_id !== msgId) })
  }

  const watchExpiry = (msgId: string, expiresAt: number): void =>
    alarms.set(`expire ${msgId}`, expiresAt * 1000, () => {
      if (!core.record().notifications.some(({ msg_id }) => msg_id === msgId)) return
      dropNotification(msgId)
      core.report('changed', undefined, { word: 'expired' })
    })

  const deliver = (push: InboxMessage, again: boolean): void => {
    const { notifications, prompts: open } = core.record()
    const now = ports.clock.now()
    const known =
      notifications.some(({ msg_id }) => msg_id === push.msg_id) ||
      (!again && open.some(({ prompt }) => prompt.msg_id === push.msg_id))
    // A repeated push, or one that arrived too late: nothing to show.
    if (known || push.expires_at * 1000 <= now) return
    core.set({ notifications: [{ ...push, arrived_at: now }, ...notifications] })
    watchExpiry(push.msg_id, push.expires_at)
    core.report('pushed', push.rp.name)
    const { answer } = core.record().behaviour
    if (answer === 'approve' || answer === 'reject') void ports.track(openPush(push.msg_id))
  }

  const receive = (push: InboxMessage, eventId: string | undefined): void => {
    if (eventId !== undefined) core.set({ last_event_id: eventId })
    const address = parseMessageAddress(push.url)
    if (!address.ok) return
    const triggered = triggerFaults(core, { stage: 'push', kind: address.value.kind, msgId: push.msg_id })
    arrivals(triggered).forEach((ms, index) => {
      const arrive = (): void => deliver(push, index > 0)
      if (ms === 0) arrive()
      else alarms.set(`arrive ${index} ${push.msg_id}`, ports.clock.now() + ms, arrive)
    })
  }

  const openPush = async (msgId: string): PhoneResult => {
    const { notifications, prompts: open } = core.record()
    const known =
      notifications.find(({ msg_id }) => msg_id === msgId) ?? open.find(({ prompt }) => prompt.msg_id === msgId)?.prompt
    if (known === undefined) return err(refusePhone('no_such_notification'))
    const { url, expires_at: expiresAt } = known
    const address = parseMessageAddress(url)
    if (!address.ok) return err(refusePhone('not_ours'))
    return prompts.open({ msgId, kind: address.value.kind, url, expiresAt, cameBy: 'push' })
  }

  const addressIn = async (input: ScanInput): PhoneResult<MessageAddress & { readonly url: string }> => {
    const code = 'url' in input ? ok(input.url) : await readMessageCode(input.picture)
    if (!code.ok) return code
    const address = parseMessageAddress(code.value)
    if (!address.ok) return err(refusePhone('not_ours'))
    const expected = ports.baseUrl()
    if (expected !== undefined && address.value.baseUrl !== expected) return err(refusePhone('foreign_code'))
    return ok({ ...address.value, url: code.value })
  }

  const leaveAccount = async (how?: { readonly fromAfar: boolean }): Promise<void> => {
    inbox.close()
    prompts.stop()
    await signOut(core, how)
    alarms.clearAll()
  }

  const forgetEverything = async (how?: { readonly fromAfar: boolean }): PhoneResult<void> => {
    await leaveAccount(how)
    const cleared = core.keyring.clear()
    if (!cleared.ok) return err(core.fail(cleared.error))
    const { name, phone } = core.record().account
    core.set({ account: { name, phone }, screen: { kind: 'lock' } })
    return ok(undefined)
  }

  return {
    core,
    prompts,
    async wake(): Promise<void> {
      const { notifications, device, network } = core.record()
      prompts.resume()
      for (const { msg_id, expires_at } of notifications) watchExpiry(msg_id, expires_at)
      // Loads the account's credentials from the cloud before the inbox opens, since the inbox begins with the list of
      // accepted ones. If the cloud is unavailable, the next refresh loads them.
      if (device !== undefined && network === 'online') await core.keyring.refresh()
      await openInbox()
    },
    sleep(): void {
      core.retire()
      inbox.close({ quietly: true })
      prompts.stop()
      alarms.clearAll()
    },
    /** `account` replaces the phone's account, or only adds its secret. */
    async signIn(account?: PhoneRecord['account']): PhoneResult {
      if (account !== undefined && core.record().device === undefined && !core.record().lost) core.set({ account })
      const signed = await signIn(core)
      if (!signed.ok) return err(core.fail(signed.error))
      core.show({ kind: 'home' })
      const looked = await core.keyring.refresh()
      if (!looked.ok) return err(core.fail(looked.error))
      await openInbox()
      return changed()
    },
    async signOut(): PhoneResult {
      const ready = core.ready()
      if (!ready.ok) return ready
      await leaveAccount()
      core.show({ kind: 'home' })
      return changed()
    },
    async wipe(): PhoneResult {
      if (core.record().lost) return err(refusePhone('lost'))
      const forgotten = await forgetEverything()
      return forgotten.ok ? changed() : forgotten
    },
    async lose(): PhoneResult {
      const forgotten = await forgetEverything({ fromAfar: true })
      if (!forgotten.ok) return forgotten
      core.set({ lost: true, network: 'offline' })
      return changed()
    },
    async patch(patch: PhonePatch): PhoneResult {
      const fine = checkModel(patch.model)
      if (!fine.ok) return fine
      const { network, algorithm: wanted, ...settings } = patch
      const { lost, model, algorithm: before } = core.record()
      if (lost) return err(refusePhone('lost'))
      const after = settings.model ?? model
      const chosen = typeof wanted === 'string' ? checkAlgorithm(after, wanted) : ok(undefined)
      if (!chosen.ok) return chosen
      const kept = before === undefined || wanted === null ? undefined : findUsableAlgorithm(after, before)
      core.set({ ...settings, network: network ?? core.record().network, algorithm: chosen.value ?? kept })
      if (network === 'offline') inbox.close()
      if (network === 'online') await openInbox()
      return changed()
    },
    async scan(input: ScanInput): PhoneResult {
      const ready = core.ready()
      if (!ready.ok) return err(core.fail(ready.error))
      const glanced = 'picture' in input && input.glance === true ? await addressIn(input) : undefined
      if (glanced?.ok === false && glanced.error.word === 'no_code') return glanced
      core.show({ kind: 'camera' })
      core.report('changed')
      const address = glanced ?? (await addressIn(input))
      if (!address.ok) return err(core.fail(address.error))
      const { msgId, kind, url } = address.value
      core.report('scanned')
      return prompts.open({ msgId, kind, url, cameBy: 'scan', seenOn: input.seenOn })
    },
    /** Signs out, even when offline, and reports nothing: the phone is being removed. */
    takeAway: () => leaveAccount({ fromAfar: true }),
    openPush,
    async dismiss(msgId: string): PhoneResult {
      const known = core.record().notifications.some(({ msg_id }) => msg_id === msgId)
      if (!known) return err(refusePhone('no_such_notification'))
      dropNotification(msgId)
      return changed()
    },
    async goHome(): PhoneResult {
      core.show({ kind: 'home' })
      return changed()
    },
    async sync(): PhoneResult {
      const ready = core.ready()
      if (!ready.ok) return ready
      const looked = await core.exclusive(() => core.keyring.refresh())
      if (!looked.ok) return err(core.fail(looked.error))
      return changed()
    },
    async forgetCredential(id: string): PhoneResult {
      const gone = await core.exclusive(() => core.keyring.discard(id))
      if (!gone.ok) return err(core.fail(gone.error))
      if (!gone.value) return err(refusePhone('no_such_credential'))
      return changed()
    },
  }
}

type Arrivals = readonly number[]

type Course = (arrivals: Arrivals, parameters: PhoneActionParameters) => Arrivals

const COURSES: Readonly<Record<ActionAt<'push'>, Course>> = {
  'lose-push': () => [],
  'delay-push': (arrivals, { delay_ms: delay = 60_000 }) => arrivals.map((ms) => ms + delay),
  'repeat-push': (arrivals, { delay_ms: delay = 1000 }) => arrivals.flatMap((ms) => [ms, ms + delay]),
}

/** The delays, in milliseconds from now, after which a push reaches the app: one for each arrival. */
const arrivals = (triggered: readonly TriggeredFault[]): Arrivals =>
  changesOf(COURSES, triggered).reduce<Arrivals>((now, { change, parameters }) => change(now, parameters), [0])
