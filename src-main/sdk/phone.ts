import { isObject } from '../core/protocol/json.ts'
import { type Body, type ControlClient, ControlError, type ControlPhone, type Data } from './client.ts'
import { PhoneError, WaitError } from './errors.ts'
import { realNow } from './real-time.ts'
import { type Scannable, scanUntilRead } from './scannable.ts'
import { lastSeq, receivedInstead, waitFor } from './wait-for.ts'

export type Screen = ControlPhone['screen']
export type Prompt = Extract<Screen, { readonly kind: 'request' }>['prompt']

/** A virtual phone and its user. */
export type Phone = Readonly<ReturnType<typeof phoneOf>>

export type PushWait = {
  /** 10 s by default. */
  readonly timeoutMs?: number
  /** Only a push of this message. */
  readonly msgId?: string
}

export const phoneOf = (client: ControlClient, { id, name }: Pick<ControlPhone, 'id' | 'name'>) => {
  const params = { id }
  const state = (): Promise<ControlPhone> => client.call('phones.get', { params })

  const waitForPush = async ({ timeoutMs = 10_000, msgId }: PushWait = {}): Promise<Prompt> => {
    const deadline = realNow() + timeoutMs
    // The last event's number is read before the phone's state, so that no later event is missed.
    let after = await lastSeq(client)
    for (;;) {
      // Notifications are newest first, so the last match is the oldest.
      const push = (await state()).notifications.findLast(({ msg_id }) => msgId === undefined || msg_id === msgId)
      if (push !== undefined) {
        return promptOf(await withPhoneError(client.call('phones.open', { params, body: { msg_id: push.msg_id } })))
      }
      const match = { kind: 'phone', change: 'pushed', phone_id: id } as const
      const waiting = waitFor(client, match, { after, timeoutMs: deadline - realNow() })
      after = (await waiting.catch((reason: unknown) => noPush(reason, name, timeoutMs))).seq
    }
  }

  return {
    id,
    name,
    state,
    /** Scans a code and returns the phone's prompt. */
    scan: async (code: Scannable): Promise<Prompt> =>
      promptOf(await scanUntilRead(code, (body) => withPhoneError(client.call('phones.scan', { params, body })))),
    /** Opens the oldest unanswered push, or waits for one. */
    waitForPush,
    /** Approves the prompt. Throws PhoneError if the answer is not accepted. */
    approve: async (how: Body<'phones.approve'> = {}): Promise<Screen> => {
      const { screen } = await withPhoneError(client.call('phones.approve', { params, body: how }))
      if (screen.kind === 'refused' || screen.kind === 'problem') throw shown(name, screen)
      return screen
    },
    reject: async (reason?: string): Promise<Screen> => {
      const body = reason === undefined ? {} : { reason }
      return (await withPhoneError(client.call('phones.reject', { params, body }))).screen
    },
    failFingerprint: async (): Promise<Screen> =>
      (await withPhoneError(client.call('phones.fail-fingerprint', { params, body: {} }))).screen,
    /** Arms a fault for the next attempts: docs/faults.md. `strikes.begun`: attempts that go on without it. */
    arm: (fault: string, how: Omit<Body<'phones.arm'>, 'fault'> = {}): Promise<Data<'phones.arm'>> =>
      withPhoneError(client.call('phones.arm', { params, body: { fault, ...how } })),
    disarm: async (): Promise<void> => void (await client.call('phones.disarm-all', { params })),
    /** Changes name, model, algorithm, storage, behaviour or network. */
    change: async (body: Body<'phones.patch'>): Promise<void> =>
      void (await withPhoneError(client.call('phones.patch', { params, body }))),
    /** Signs the phone out and removes it from the bench; its registrations stay at the service. */
    remove: async (): Promise<void> => void (await client.call('phones.delete', { params })),
  }
}

const noPush = (reason: unknown, name: string, timeoutMs: number): never => {
  if (!(reason instanceof WaitError)) throw reason
  const { code, came } = reason
  const error = `No push came to the phone ${JSON.stringify(name)} within ${timeoutMs} ms. ${receivedInstead(came)}`
  throw new WaitError({ code, error, came })
}

const promptOf = ({ name, screen }: ControlPhone): Prompt => {
  if (screen.kind === 'request') return screen.prompt
  if ('prompt' in screen && screen.prompt !== undefined && screen.kind !== 'problem') return screen.prompt
  throw shown(name, screen)
}

const shown = (name: string, screen: Screen): PhoneError => {
  const word = 'word' in screen ? screen.word : screen.kind
  return new PhoneError({ code: word, error: `The phone ${JSON.stringify(name)} shows ${word}.`, came: screen })
}

/** A phone's refusals share one numeric code, so the error gets their word instead. */
const withPhoneError = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    if (!(error instanceof ControlError) || !isObject(error.data) || typeof error.data.word !== 'string') throw error
    throw new PhoneError({ code: error.data.word, error: error.message, data: error.data })
  })
