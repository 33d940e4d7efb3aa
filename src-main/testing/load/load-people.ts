import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { makeAttestationAuthority } from '../../phones/authenticator/attestation/attestation-authority.ts'
import type { AppClient } from '../../phones/phone/app-client.ts'
import { realNow } from '../../sdk/real-time.ts'
import type { RpClient } from '../../sdk/rp.ts'
import { createCeremonies, type OnStep, type Subject } from './ceremonies.ts'
import { createLoadPhone } from './load-phone.ts'
import type { CeremonyFailure } from './load-plan.ts'
import { createPushInbox, type PushInbox } from './push-inbox.ts'
import type { LoadPeople } from './run-load.ts'

export type People = LoadPeople & {
  /** Registers so many users, a few at a time; the first failure ends it. */
  prepare(count: number, onMade: (made: number) => void): Promise<Result<null, CeremonyFailure>>
  /** Deletes what was registered and signs the phones out, until the signal ends it; how many were left. */
  remove(signal: AbortSignal): Promise<number>
  /** As the service told it to the first who registered. */
  rpId(): string | undefined
  close(): void
}

type Options = {
  readonly rp: RpClient
  readonly client: AppClient
  readonly appUrl: string
  readonly push: boolean
  /** Whether what was registered will have to be removed, and is remembered for it. */
  readonly removes: boolean
  /** Of names: two loads on one service have users of their own. */
  readonly prefix: string
  readonly random: RandomSource
  readonly time: Clock
  readonly wall: Clock
  readonly stop: AbortSignal
}

/** Far below what a service takes, and enough to keep it busy. */
const AT_A_TIME = 16

/** The users of a load, with a phone each. */
export const createLoadPeople = (options: Options): People => {
  const { rp, client, appUrl, push, removes, prefix, random, time, wall, stop } = options
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
    const inbox = withInbox ? createPushInbox({ client, appUrl, token: phone.token, wall }) : undefined
    if (inbox !== undefined) inboxes.push(inbox)
    if (removes) left.push({ user_id, phone })
    const account = { name: user_id, phone: phoneNumber(prefix, number) }
    const outcome = await ceremonies.register({ user_id, phone }, { account, onStep })
    rpId ??= phone.rpId()
    return { subject: { user_id, phone, inbox }, outcome }
  }

  return {
    users,
    register: async (onStep) => {
      const { subject, outcome } = await register(onStep, false)
      // It does not come again: a load that registers for days must not grow with it.
      subject.phone.forgetCredentials()
      return outcome
    },
    async prepare(count, onMade) {
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
    async remove(signal) {
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
    close() {
      for (const inbox of inboxes) inbox.close()
      rp.close()
      client.close()
    },
  }
}

/** Its own for each user; +999 belongs to no country. */
const phoneNumber = (prefix: string, number: number): string => {
  const run = [...prefix].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_000_000, 7)
  return `999${String(run).padStart(9, '0')}${String(number).padStart(8, '0')}`
}
