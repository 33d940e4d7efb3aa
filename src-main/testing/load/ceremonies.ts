import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { Message, RpClient, RpRefusal } from '../../sdk/rp.ts'
import { type LoadPhone, wordIn } from './load-phone.ts'
import type { CeremonyOutcome, Step } from './load-plan.ts'
import type { PushInbox } from './push-inbox.ts'

export type Subject = {
  readonly user_id: string
  readonly phone: LoadPhone
  /** Where the phone hears of sign-ins; without one it scans them. */
  readonly inbox?: PushInbox | undefined
}

/** Tells which part has begun. */
export type OnStep = (step: Step) => void

/** The client could not do its part with what the service had answered before. */
const UNUSABLE = 'unusable_answer'

type Parts = { readonly rp: RpClient; readonly time: Clock }
type Coded<T> = Promise<Result<T, string>>

/** A whole ceremony over HTTP, part by part: each begins when the one before has been answered. */
export const createCeremonies = ({ rp, time }: Parts) => {
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

  /** From the message on, both are alike. */
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
      return status === 'success' ? ok(null) : err(status === 'fail' ? wordIn(error) : status)
    })
  }

  return {
    /** Of a phone that is signed in. */
    async signIn({ user_id, phone, inbox }: Subject, onStep: OnStep): Promise<CeremonyOutcome> {
      const run = timed(onStep)
      const method = inbox === undefined ? 'qrcode' : 'push'
      const message = await run.part('request', async () =>
        coded(await rp.authenticate({ user_id, username: user_id, method })),
      )
      if (inbox !== undefined) {
        await run.part('push', async () =>
          (await inbox.heard(message?.msg_id ?? '')) ? ok(null) : err('push_did_not_come'),
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

export type Ceremonies = ReturnType<typeof createCeremonies>

type Read = RpClient['registrationResult']

const coded = <T>(answered: Result<T, RpRefusal>): Result<T, string> =>
  answered.ok ? answered : err(codeOf(answered.error))

/** 0: there was no envelope. */
const codeOf = ({ code, httpStatus }: RpRefusal): string =>
  code !== 0 ? String(code) : httpStatus === 0 ? 'unreachable' : 'garbled'
