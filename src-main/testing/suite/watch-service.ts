import type { EventOf, MessageFact } from '../../core/contract/events.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import { pause, realNow } from '../../sdk/real-time.ts'
import type { Workspace } from '../../sdk/workspace.ts'

export type Exchange = EventOf<'exchange'>

export type Message = Pick<MessageFact, 'msg_id' | 'user_id' | 'username' | 'url' | 'method'> & {
  /** How long the request can be answered. */
  readonly lasts_ms: number
}

const LOOK_MS = 20
/** An RP may answer its visitor before it asks the service. */
const GRACE_MS = 400

type Wanted = {
  readonly ceremony: MessageFact['ceremony']
  /** Undefined for a newcomer. */
  readonly user_id?: string | undefined
  /** The typed name: no other user has it in their name. */
  readonly name: string
  /** True if a fault is armed for any newcomer, so no other newcomer may ask at the same time. */
  readonly isAlone: boolean
}

export type ServiceWatch = ReturnType<typeof watchService>

type Caused<T> = Promise<{ readonly acted: T; readonly message?: Message; readonly begun: number }>

export const watchService = (workspace: Workspace) => {
  const { client } = workspace
  let turn: Promise<unknown> = Promise.resolve()
  /** Requests of newcomers that run in parallel; the newcomers' names distinguish them. */
  const sharing = new Set<Promise<void>>()
  /** True if the RP passes a newcomer's typed name to the service; known after the first newcomer. */
  let isNamed: boolean | undefined
  const names = ({ user_id, username }: Pick<MessageFact, 'user_id' | 'username'>, { name }: Wanted): boolean =>
    `${user_id} ${username}`.includes(name)

  const begunAfter = async (after: number, wanted: Wanted): Promise<readonly Message[]> => {
    const { events } = await client.call('events.list', { query: { after, kind: 'message' } })
    return events.flatMap((event) =>
      event.kind === 'message' &&
      event.from === undefined &&
      event.ceremony === wanted.ceremony &&
      (wanted.user_id === undefined ? isNamed !== true || names(event, wanted) : event.user_id === wanted.user_id)
        ? [{ ...event, lasts_ms: event.expires_at - event.bench }]
        : [],
    )
  }

  const observe = async <T>(wanted: Wanted, act: () => Promise<T>): Caused<T> => {
    const after = await workspace.lastSeq()
    let ended: number | undefined
    const acting = act().finally(() => {
      ended = realNow()
    })
    acting.catch(() => undefined)
    let seen: readonly Message[] = []
    const see = async (): Promise<void> => {
      while (seen.length === 0 && (ended === undefined || realNow() < ended + GRACE_MS)) {
        seen = await begunAfter(after, wanted)
        if (seen.length === 0) await pause(LOOK_MS)
      }
    }
    const isKnown = wanted.user_id !== undefined || isNamed === true
    if (!isKnown) await see()
    const acted = await acting
    if (isKnown) await see()
    const [message] = seen
    const all = isKnown ? await begunAfter(after, wanted) : seen
    return { acted, begun: all.length, ...(message === undefined ? {} : { message }) }
  }

  return {
    causes: <T>(wanted: Wanted, act: () => Promise<T>): Caused<T> => {
      if (wanted.user_id !== undefined) return observe(wanted, act)
      if (isNamed === true && !wanted.isAlone) {
        const mine = turn.then(() => observe(wanted, act))
        const settled = mine.then(
          () => void sharing.delete(settled),
          () => void sharing.delete(settled),
        )
        sharing.add(settled)
        return mine
      }
      // Only its time shows whose request it is, so newcomers take turns.
      const mine = Promise.all([turn, ...sharing]).then(async () => {
        const seen = await observe(wanted, act)
        if (seen.message !== undefined) isNamed ??= names(seen.message, wanted)
        return seen
      })
      turn = mine.catch(() => undefined)
      return mine
    },
    /** The RP’s calls that named this message, oldest first. */
    reads: async (msg_id: string): Promise<readonly Exchange[]> => {
      const { events } = await client.call('events.list', { query: { msg_id, kind: 'exchange', limit: 10_000 } })
      return events.filter((event): event is Exchange => event.kind === 'exchange' && event.interface === 'rp')
    },
    struck: async (ids: ReadonlySet<string>, after: number): Promise<readonly Exchange[]> => {
      const { events } = await client.call('events.list', { query: { after, kind: 'exchange', limit: 10_000 } })
      return events.filter(
        (event): event is Exchange =>
          event.kind === 'exchange' && event.faults !== undefined && event.faults.some(({ id }) => ids.has(id)),
      )
    },
  }
}

/** Begun and ended, in milliseconds since 1970. */
export const exchangeTimes = ({ wall, took_us }: Exchange): { readonly from: number; readonly to: number } => ({
  from: wall - took_us / 1000,
  to: wall,
})

export const trueStatus = ({ response, honest }: Exchange): string => {
  const envelope = parseJsonOrNothing((honest ?? response).body)
  if (!isObject(envelope)) return ''
  if (envelope.code !== 0) return String(envelope.code)
  return isObject(envelope.data) ? String(envelope.data.status) : ''
}

const FINAL: ReadonlySet<string> = new Set(['success', 'fail', 'timeout', '41001', '40402'])

export const isFinalResult = (exchange: Exchange): boolean => FINAL.has(trueStatus(exchange))
