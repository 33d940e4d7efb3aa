import type { ControlPhone } from '../core/contract/control/states.ts'
import type { BenchEvent } from '../core/contract/events.ts'
import { type ControlClient, ControlError } from '../sdk/client.ts'
import { texts } from './texts.ts'

/** A push, as the desktop shows it. */
export type Notice = {
  readonly title: string
  readonly body: string
  readonly phone: string
  readonly msgId: string
}

/** Of an event that is worth a notice: a push at a phone whose answer is left to the person. */
export const pushNotice = (event: BenchEvent): Notice | undefined => {
  if (event.kind !== 'phone' || event.change !== 'pushed' || event.phone === undefined) return undefined
  const { phone } = event
  const [newest] = phone.notifications
  if (newest === undefined || phone.behaviour.answer !== 'ask') return undefined
  return { title: newest.rp.name, body: texts.push.body(phone.name), phone: phone.id, msgId: newest.msg_id }
}

export type PushParts = {
  readonly client: ControlClient
  readonly signal: AbortSignal
  /** The page is in view, which shows the push itself. */
  readonly isWatched: () => boolean
  readonly notify: (notice: Notice) => void
  /** How many pushes wait for a person. */
  readonly pending: (count: number) => void
}

/** Pushes to a phone that answers automatically need no notice. */
const waitingAt = ({ notifications, behaviour }: Pick<ControlPhone, 'notifications' | 'behaviour'>): number =>
  behaviour.answer === 'ask' ? notifications.length : 0

/** Listens to the event stream like any other client, from now on, until the signal ends it. */
export const watchPushes = async ({ client, signal, isWatched, notify, pending }: PushParts): Promise<void> => {
  const waiting = new Map<string, number>()
  const tell = (): void => pending([...waiting.values()].reduce((sum, count) => sum + count, 0))
  try {
    const { last_seq: after } = await client.call('overview', { signal })
    for (const phone of (await client.call('phones.list', { signal })).phones) waiting.set(phone.id, waitingAt(phone))
    tell()
    for await (const event of client.events({ after, kind: 'phone', signal })) {
      if (event.kind === 'phone') {
        waiting.set(event.phone_id, event.phone === undefined ? 0 : waitingAt(event.phone))
        tell()
      }
      const notice = pushNotice(event)
      if (notice !== undefined && !isWatched()) notify(notice)
    }
  } catch (reason) {
    // The bench was closed or replaced by now: its pushes are gone.
    if (!signal.aborted && !(reason instanceof ControlError)) throw reason
  }
}

/** A click on the notice does the same as a tap on the phone. */
export const openNotice = async (client: ControlClient, { phone, msgId }: Notice): Promise<void> => {
  try {
    await client.call('phones.open', { params: { id: phone }, body: { msg_id: msgId } })
  } catch (reason) {
    // Answered, expired or swiped away in the meantime: the page shows which.
    if (!(reason instanceof ControlError)) throw reason
  }
}
