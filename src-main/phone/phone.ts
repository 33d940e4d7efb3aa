import type { MessageAddress } from '../protocol/message-address.ts'
import { parseMessageAddress } from '../protocol/message-address.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { readMessageCode } from './camera.ts'
import { createInbox, type Push } from './inbox.ts'
import { createPhoneCore, type PhoneCore, type PhonePorts } from './phone-core.ts'
import type { PhoneRecord } from './phone-record.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import type { PhoneState } from './phone-state.ts'
import type { PhonePatch, ScanInput } from './phones-interface.ts'
import { createPrompts, type Prompts } from './prompts.ts'
import { forgetDevice, signIn, signOut } from './sign-in.ts'

type Outcome = Promise<Result<PhoneState, PhoneRefusal>>

/** One virtual phone, awake. */
export type Phone = {
  readonly core: PhoneCore
  readonly prompts: Prompts
  /** Opens the inbox and sets the alarms that the record asks for. */
  wake(): Promise<void>
  sleep(): void
  signIn(): Outcome
  signOut(): Outcome
  wipe(): Outcome
  lose(): Outcome
  patch(patch: PhonePatch): Outcome
  scan(input: ScanInput): Outcome
  openPush(msgId: string): Outcome
  dismiss(msgId: string): Outcome
  goHome(): Outcome
  sync(): Outcome
  forgetCredential(id: string): Outcome
  /** Signs out and stays silent: it is taken off the bench. */
  takeAway(): Promise<void>
}

export const createPhone = (ports: PhonePorts, record: PhoneRecord): Phone => {
  const core = createPhoneCore(ports, record)
  const prompts = createPrompts(core)
  const expiries = new Map<string, () => void>()
  const done = (): Result<PhoneState, never> => ok(core.view())

  const inbox = createInbox({
    client: ports.client,
    wall: ports.wall,
    target: () => ({ url: `${ports.appUrl()}/inbox`, token: core.record().device?.token ?? '' }),
    lastEventId: () => core.record().last_event_id,
    onPush: (push, eventId) => receive(push, eventId),
    onState: () => core.tell('changed'),
    onRefused: () => tokenDied(),
  })
  core.onInbox(inbox.state)

  const tokenDied = (): void => {
    inbox.close()
    prompts.stop()
    forgetDevice(core)
    core.fail(refusePhone('signed_out'))
  }
  core.onTokenDead(tokenDied)

  const openInbox = (): void => {
    const { device, network, lost } = core.record()
    if (device !== undefined && network === 'online' && !lost) inbox.open()
  }

  const dropNotification = (msgId: string): void => {
    expiries.get(msgId)?.()
    expiries.delete(msgId)
    core.set({ notifications: core.record().notifications.filter(({ msg_id }) => msg_id !== msgId) })
  }

  const watchExpiry = (msgId: string, expiresAt: number): void => {
    expiries.get(msgId)?.()
    const ring = (): void => {
      expiries.delete(msgId)
      if (!core.record().notifications.some(({ msg_id }) => msg_id === msgId)) return
      dropNotification(msgId)
      core.tell('changed', refusePhone('expired').text)
    }
    expiries.set(msgId, ports.clock.at(expiresAt * 1000, ring))
  }

  const receive = (push: Push, eventId: string | undefined): void => {
    if (eventId !== undefined && eventId !== '') core.set({ last_event_id: eventId })
    const { notifications, prompts: open } = core.record()
    const known =
      notifications.some(({ msg_id }) => msg_id === push.msg_id) ||
      open.some(({ prompt }) => prompt.msg_id === push.msg_id)
    const parsed = parseMessageAddress(push.url)
    const now = ports.clock.now()
    // The same push twice, one that came too late, one of another service: nothing to show.
    if (known || !parsed.ok || push.expires_at * 1000 <= now) return
    core.set({ notifications: [{ ...push, arrived_at: now }, ...notifications] })
    watchExpiry(push.msg_id, push.expires_at)
    core.tell('pushed', push.rp.name)
    const { answer } = core.record().behaviour
    if (answer === 'approve' || answer === 'reject') void ports.track(openPush(push.msg_id))
  }

  const openPush = async (msgId: string): Outcome => {
    const { notifications, prompts: open } = core.record()
    const url =
      notifications.find(({ msg_id }) => msg_id === msgId)?.url ??
      open.find(({ prompt }) => prompt.msg_id === msgId)?.prompt.url
    if (url === undefined) return err(refusePhone('no_such_notification'))
    const ready = core.ready()
    if (!ready.ok) return err(core.fail(ready.error))
    dropNotification(msgId)
    return prompts.open({ address: { msgId }, url, cameBy: 'push' })
  }

  const addressIn = async (
    input: ScanInput,
  ): Promise<Result<MessageAddress & { readonly url: string }, PhoneRefusal>> => {
    const code = 'url' in input ? ok(input.url) : await readMessageCode(input.picture)
    if (!code.ok) return code
    const address = parseMessageAddress(code.value)
    if (!address.ok) return err(refusePhone('not_ours'))
    const expected = ports.baseUrl()
    if (expected !== undefined && address.value.baseUrl !== expected) return err(refusePhone('foreign_code'))
    return ok({ ...address.value, url: code.value })
  }

  const leaveAccount = async (): Promise<void> => {
    inbox.close()
    prompts.stop()
    await signOut(core)
    for (const cancel of expiries.values()) cancel()
    expiries.clear()
  }

  const forgetEverything = async (): Promise<void> => {
    await leaveAccount()
    core.keyring.clear()
    const { name, phone } = core.record().account
    core.set({ account: { name, phone }, screen: { kind: 'lock' } })
  }

  return {
    core,
    prompts,
    async wake() {
      const { notifications, device, network } = core.record()
      prompts.resume()
      for (const { msg_id, expires_at } of notifications) watchExpiry(msg_id, expires_at)
      openInbox()
      // What the account has in the cloud is drawn too; when it cannot be had now, it comes with the next look.
      if (device !== undefined && network === 'online') await core.keyring.refresh()
    },
    sleep() {
      inbox.close()
      prompts.stop()
      for (const cancel of expiries.values()) cancel()
      expiries.clear()
    },
    async signIn() {
      const signed = await signIn(core)
      if (!signed.ok) return err(core.fail(signed.error))
      core.show({ kind: 'home' })
      const looked = await core.keyring.refresh()
      if (!looked.ok) return err(core.fail(looked.error))
      openInbox()
      core.tell('changed')
      return done()
    },
    async signOut() {
      const ready = core.ready()
      if (!ready.ok) return err(ready.error)
      await leaveAccount()
      core.show({ kind: 'home' })
      core.tell('changed')
      return done()
    },
    async wipe() {
      if (core.record().lost) return err(refusePhone('lost'))
      await forgetEverything()
      core.tell('changed')
      return done()
    },
    async lose() {
      await forgetEverything()
      core.set({ lost: true, network: 'offline' })
      core.tell('changed')
      return done()
    },
    async patch(patch) {
      const { network, ...settings } = patch
      if (core.record().lost) return err(refusePhone('lost'))
      core.set({ ...settings, ...(network === undefined ? {} : { network }) })
      if (network === 'offline') inbox.close()
      if (network === 'online') openInbox()
      core.tell('changed')
      return done()
    },
    async scan(input) {
      const ready = core.ready()
      if (!ready.ok) return err(core.fail(ready.error))
      core.show({ kind: 'camera' })
      core.tell('changed')
      const address = await addressIn(input)
      if (!address.ok) return err(core.fail(address.error))
      core.tell('scanned')
      return prompts.open({ address: address.value, url: address.value.url, cameBy: 'scan' })
    },
    takeAway: leaveAccount,
    openPush,
    async dismiss(msgId) {
      const known = core.record().notifications.some(({ msg_id }) => msg_id === msgId)
      if (!known) return err(refusePhone('no_such_notification'))
      dropNotification(msgId)
      core.tell('changed')
      return done()
    },
    async goHome() {
      core.show({ kind: 'home' })
      core.tell('changed')
      return done()
    },
    async sync() {
      const ready = core.ready()
      if (!ready.ok) return err(ready.error)
      const looked = await core.exclusive(() => core.keyring.refresh())
      if (!looked.ok) return err(core.fail(looked.error))
      core.tell('changed')
      return done()
    },
    async forgetCredential(id) {
      const gone = await core.exclusive(() => core.keyring.discard(id))
      if (!gone.ok) return err(core.fail(gone.error))
      if (!gone.value) return err(refusePhone('no_such_credential'))
      core.tell('changed')
      return done()
    },
  }
}
