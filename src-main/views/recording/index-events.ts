import type { BenchEvent } from '../../core/contract/events.ts'
import { isObject } from '../../core/protocol/json.ts'
import { isFinal } from '../../core/protocol/message-state.ts'

export type Exchange = Extract<BenchEvent, { readonly kind: 'exchange' }>

export type AccountOfDevice = { readonly account: string; readonly name?: string; readonly phone?: string }

/** Facts from later events that a step needs. */
export type EventIndex = {
  /** The call that caused an event, which is recorded after the event. */
  readonly rpCallOf: (event: BenchEvent) => Exchange | undefined
  readonly rpCalls: readonly Exchange[]
  /** Messages whose final state an RP read. */
  readonly read: ReadonlySet<string>
  readonly accounts: ReadonlyMap<string, AccountOfDevice>
  /** Messages whose answer the judge refused. */
  readonly judgedBad: ReadonlySet<string>
  /** Devices that are virtual phones. */
  readonly phoneDevices: ReadonlySet<string>
  /** `device credential`: credentials that the phone itself removed from the vault. */
  readonly forgotten: ReadonlySet<string>
}

export const indexEvents = (events: readonly BenchEvent[]): EventIndex => {
  const rpCalls = createCalls()
  const appCalls = createCalls()
  const read = new Set<string>()
  const accounts = new Map<string, AccountOfDevice>()
  const phoneDevices = new Set<string>()
  const forgotten = new Set<string>()
  const judgedBad = new Set<string>()
  for (const event of events) {
    if (event.kind === 'exchange') {
      ;(event.interface === 'rp' ? rpCalls : appCalls).add(event)
      if (event.interface === 'app' && event.request.method === 'DELETE' && event.device_id !== undefined)
        forgotten.add(`${event.device_id} ${event.request.target.split('/').at(-1)}`)
    }
    if (event.kind === 'verdict' && !event.accepted) judgedBad.add(event.msg_id)
    if (event.kind === 'delivery' && isFinal(event.state)) read.add(event.msg_id)
    if (event.kind === 'phone' && event.phone?.device_id !== undefined) phoneDevices.add(event.phone.device_id)
  }
  for (const event of events) {
    if (event.kind !== 'device' || event.change !== 'signed_in') continue
    accounts.set(event.device_id, { account: event.account, ...signedInAs(appCalls.of(event)) })
  }
  return { rpCallOf: rpCalls.of, rpCalls: rpCalls.all, read, accounts, judgedBad, phoneDevices, forgotten }
}

/** Calls by request id, several for one id: a workspace restored from a snapshot draws the same ids again. */
const createCalls = () => {
  const byCause = new Map<string, Exchange[]>()
  const all: Exchange[] = []
  return {
    all,
    add: (call: Exchange): void => {
      all.push(call)
      const { cause = '' } = call
      const known = byCause.get(cause)
      if (known === undefined) byCause.set(cause, [call])
      else known.push(call)
    },
    of: ({ cause, seq }: BenchEvent): Exchange | undefined =>
      cause === undefined ? undefined : byCause.get(cause)?.find((call) => call.seq >= seq),
  }
}

const signedInAs = (call: Exchange | undefined): { readonly name?: string; readonly phone?: string } => {
  const { account } = parseJsonObject(call?.request.body)
  if (!isObject(account)) return {}
  return {
    ...(typeof account.name === 'string' ? { name: account.name } : {}),
    ...(typeof account.phone === 'string' ? { phone: account.phone } : {}),
  }
}

/** Empty for JSON that is not an object. */
export const parseJsonObject = (text = ''): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Not parsed as a URL, because a target such as //x:y is not valid. */
export const targetQuery = ({ request: { target } }: Exchange): URLSearchParams =>
  new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?')) : '')
