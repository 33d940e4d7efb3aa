import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { makeAttestationAuthority } from '../../phones/authenticator/attestation/attestation-authority.ts'
import type { AppClient } from '../../phones/phone/app-client.ts'
import { createInbox } from '../../phones/phone/inbox.ts'
import { realNow } from '../../sdk/real-time.ts'
import type { Message, RpClient, RpRefusal } from '../../sdk/rp-client.ts'
import { createLoadPhone, errorWord, type LoadPhone } from './load-phone.ts'
import type { CeremonyFailure, CeremonyOutcome, Step } from './load-plan.ts'
import type { LoadPeople } from './run-load.ts'

export type PreparedPeople = ReturnType<typeof createLoadPeople>

type Options = {
  readonly rp: RpClient
  readonly client: AppClient
  readonly appUrl: string
  readonly push: boolean
  /** True if registrations are remembered, so that they can be removed later. */
  readonly removes: boolean
  /** Prefix of user names: two loads on one service have different users. */
  readonly prefix: string
  readonly random: RandomSource
  readonly time: Clock
  readonly wall: Clock
  readonly stop: AbortSignal
}

/** Users handled at a time: far below the capacity of a service, but enough to keep it busy. */
const AT_A_TIME = 16

export const createLoadPeople = (options: Options) => {
  const { rp, client, appUrl, push, removes, prefix, random, time, stop } = options
  const ceremonies = createCeremonies({ rp, time })
  const attestationKeys = makeAttestationAuthority({ random, now: realNow() })
  const users: LoadPeople['users'][number][] = []
  const inboxes: PushInbox[] = []
  const left: Pick<Subject, 'user_id' | 'phone'>[] = []
  let numbers = 0
  let rpId: string | undefined

  const register = async (onStep: OnStep, withInbox: boolean) => {
    const number = numbers++
    const user_id = `${prefix}-${number}`
    const phone = createLoadPhone({ client, appUrl, random, attestationKeys })
    const inbox = withInbox ? createPushInbox(options, phone.token) : undefined
    if (inbox !== undefined) inboxes.push(inbox)
    if (removes) left.push({ user_id, phone })
    const account = { name: user_id, phone: phoneNumber(prefix, number) }
    const outcome = await ceremonies.register({ user_id, phone }, { account, onStep })
    rpId ??= phone.rpId()
    return { subject: { user_id, phone, inbox }, outcome }
  }

  return {
    users,
    register: async (onStep: OnStep): Promise<CeremonyOutcome> => {
      const { subject, outcome } = await register(onStep, false)
      // This phone is not used again: memory must not grow in a load that registers for days.
      subject.phone.forgetCredentials()
      return outcome
    },
    /** Registers users, a few at a time, and stops at the first failure. */
    async prepare(count: number, onMade: (made: number) => void): Promise<Result<null, CeremonyFailure>> {
      let begun = 0
      let failure: CeremonyFailure | undefined
      const work = async (): Promise<void> => {
        while (begun < count && failure === undefined && !stop.aborted) {
          begun += 1
          const { subject, outcome } = await register(() => undefined, push)
          failure ??= outcome.failure
          if (outcome.failure !== undefined) return
          await subject.inbox?.open()
          users.push({ signIn: (onStep) => ceremonies.signIn(subject, onStep) })
          onMade(users.length)
        }
      }
      await Promise.all(Array.from({ length: AT_A_TIME }, work))
      return failure === undefined ? ok(null) : err(failure)
    },
    /** Deletes registrations and signs phones out until aborted; returns how many users are left. */
    async remove(signal: AbortSignal): Promise<number> {
      for (const inbox of inboxes) inbox.close()
      const removeNext = async (): Promise<void> => {
        for (let one = left.pop(); one !== undefined; one = signal.aborted ? undefined : left.pop()) {
          const { user_id, phone } = one
          const listed = await rp.credentials(user_id)
          const credential_ids = listed.ok ? listed.value.list.map(({ credential_id }) => credential_id) : []
          if (credential_ids.length > 0) await rp.deleteCredentials({ user_id, credential_ids })
          await phone.signOut()
        }
      }
      await Promise.all(Array.from({ length: AT_A_TIME }, removeNext))
      return left.length
    },
    rpId: () => rpId,
    close(): void {
      for (const inbox of inboxes) inbox.close()
      rp.close()
      client.close()
    },
  }
}

/** A separate number for each user; +999 is assigned to no country. */
const phoneNumber = (prefix: string, number: number): string => {
  const run = [...prefix].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_000_000, 7)
  return `999${String(run).padStart(9, '0')}${String(number).padStart(8, '0')}`
}

type Subject = {
  readonly user_id: string
  readonly phone: LoadPhone
  /** Receives pushes for sign-ins; a phone without an inbox scans codes instead. */
  readonly inbox?: PushInbox | undefined
}

type OnStep = (step: Step) => void

/** The previous answer of the service is unusable, so the client cannot do its part. */
const UNUSABLE = 'unusable_answer'

type Parts = { readonly rp: RpClient; readonly time: Clock }
type Coded<T> = Promise<Result<T, string>>

/** Each part begins after the answer to the previous part. */
const createCeremonies = ({ rp, time }: Parts) => {
  const timed = (onStep: OnStep) => {
    const steps: (readonly [Step, number])[] = []
    let failed: CeremonyOutcome['failure']
    return {
      async part<T>(step: Step, work: () => Coded<T>): Promise<T | undefined> {
        if (failed !== undefined) return undefined
        onStep(step)
        const from = time.now()
        const done = await work().catch(() => err(UNUSABLE))
        steps.push([step, time.now() - from])
        if (done.ok) return done.value
        failed = { step, code: done.error }
        return undefined
      },
      outcome: (): CeremonyOutcome => ({ steps, ...(failed === undefined ? {} : { failure: failed }) }),
    }
  }
  type Timed = ReturnType<typeof timed>

  /** Once their message exists, both ceremonies have the same parts. */
  const finish = async (
    { part }: Timed,
    { phone, message, read }: { readonly phone: LoadPhone; readonly message: Message | undefined; readonly read: Read },
  ): Promise<void> => {
    const { msg_id = '' } = message ?? {}
    const bound = await part('bind', () => phone.bind(msg_id))
    await part('answer', async () => (bound === undefined ? err('garbled') : phone.answer(msg_id, bound)))
    await part('result', async () => {
      const answered = await read(msg_id)
      if (!answered.ok) return err(codeOf(answered.error))
      const { status, error } = answered.value
      return status === 'success' ? ok(null) : err(status === 'fail' ? errorWord(error) : status)
    })
  }

  return {
    /** The phone must be signed in. */
    async signIn({ user_id, phone, inbox }: Subject, onStep: OnStep): Promise<CeremonyOutcome> {
      const run = timed(onStep)
      const method = inbox === undefined ? 'qrcode' : 'push'
      const message = await run.part('request', async () =>
        coded(await rp.authenticate({ user_id, username: user_id, method })),
      )
      if (inbox !== undefined) {
        await run.part('push', async () =>
          (await inbox.pushArrived(message?.msg_id ?? '')) ? ok(null) : err('push_did_not_come'),
        )
      }
      await finish(run, { phone, message, read: rp.authenticationResult })
      return run.outcome()
    },
    async register(
      { user_id, phone }: Subject,
      { account, onStep }: { readonly account: Parameters<LoadPhone['signIn']>[0]; readonly onStep: OnStep },
    ): Promise<CeremonyOutcome> {
      const run = timed(onStep)
      await run.part('device', () => phone.signIn(account))
      const message = await run.part('request', async () => coded(await rp.register({ user_id, username: user_id })))
      await finish(run, { phone, message, read: rp.registrationResult })
      return run.outcome()
    },
  }
}

type Read = RpClient['registrationResult']

const coded = <T>(answered: Result<T, RpRefusal>): Result<T, string> =>
  answered.ok ? answered : err(codeOf(answered.error))

/** A code of 0 means that no envelope came. */
const codeOf = ({ code, httpStatus }: RpRefusal): string =>
  code !== 0 ? String(code) : httpStatus === 0 ? 'unreachable' : 'garbled'

type PushInbox = ReturnType<typeof createPushInbox>

const PATIENCE_MS = 15_000
/** At most this many pushes wait until their message is known: a push may arrive before the answer that names it. */
const MAX_EARLY_PUSHES = 8

const createPushInbox = (
  { client, appUrl, wall }: Pick<Options, 'client' | 'appUrl' | 'wall'>,
  token: () => string,
) => {
  const waiting = new Map<string, () => void>()
  const early: string[] = []
  let last: string | undefined
  const inbox = createInbox({
    client,
    wall,
    target: () => ({ url: `${appUrl}/inbox`, token: token() }),
    lastEventId: () => last,
    onPush: ({ msg_id }, eventId) => {
      last = eventId ?? last
      const settle = waiting.get(msg_id)
      if (settle !== undefined) return settle()
      early.push(msg_id)
      if (early.length > MAX_EARLY_PUSHES) early.shift()
    },
    onState: () => undefined,
    onRefused: () => undefined,
  })
  return {
    /** Resolves once a push can arrive, or has been refused. */
    open: inbox.open,
    /** True if the push for this message came in time. It may have come already. */
    pushArrived: (msgId: string): Promise<boolean> =>
      new Promise((resolve) => {
        const settle = (came: boolean): void => {
          cancel()
          waiting.delete(msgId)
          resolve(came)
        }
        const cancel = wall.at(wall.now() + PATIENCE_MS, () => settle(false))
        if (early.includes(msgId)) settle(true)
        else waiting.set(msgId, () => settle(true))
      }),
    close: () => inbox.close({ quietly: true }),
  }
}
