import type { BenchEvent, EventOf } from '../../core/contract/events.ts'
import { isObject } from '../../core/protocol/json.ts'
import { isFinal } from '../../core/protocol/message-state.ts'
import { parseJsonObject } from '../timeline/json-member.ts'

export type Exchange = EventOf<'exchange'>

export type EventIndex = ReturnType<typeof indexEvents>

/** Facts from later events that a step needs. */
export const indexEvents = (events: readonly BenchEvent[]) => {
  const calls = events.filter((event) => event.kind === 'exchange')
  const rpCalls = calls.filter((call) => call.interface === 'rp')
  const appCalls = calls.filter((call) => call.interface === 'app')
  const appCallOf = finderOf(appCalls)
  /** Messages whose final state an RP read. */
  const read = new Set<string>()
  const accounts = new Map<string, SignedInAs & { readonly account: string }>()
  /** Devices that are virtual phones. */
  const phoneDevices = new Set<string>()
  /** `device credential`: credentials that the phone itself removed from the vault. */
  const forgotten = new Set<string>()
  /** Messages whose answer the judge refused. */
  const judgedBad = new Set<string>()
  for (const { request, device_id } of appCalls) {
    if (request.method === 'DELETE' && device_id !== undefined)
      forgotten.add(`${device_id} ${request.target.split('/').at(-1)}`)
  }
  for (const event of events) {
    if (event.kind === 'verdict' && !event.accepted) judgedBad.add(event.msg_id)
    if (event.kind === 'delivery' && isFinal(event.state)) read.add(event.msg_id)
    if (event.kind === 'phone' && event.phone?.device_id !== undefined) phoneDevices.add(event.phone.device_id)
    if (event.kind === 'device' && event.change === 'signed_in')
      accounts.set(event.device_id, { account: event.account, ...signedInAs(appCallOf(event)) })
  }
  // `rpCallOf`: the call that caused an event, which is recorded after the event.
  return { rpCallOf: finderOf(rpCalls), rpCalls, read, accounts, judgedBad, phoneDevices, forgotten }
}

/** Finds an event's call by its request id; a workspace restored from a snapshot draws the same ids again. */
const finderOf = (calls: readonly Exchange[]) => {
  const byCause = Map.groupBy(calls, ({ cause }) => cause)
  return ({ cause, seq }: BenchEvent): Exchange | undefined =>
    cause === undefined ? undefined : byCause.get(cause)?.find((call) => call.seq >= seq)
}

type SignedInAs = { readonly name?: string; readonly phone?: string }

const signedInAs = (call: Exchange | undefined): SignedInAs => {
  const { account } = parseJsonObject(call?.request.body)
  if (!isObject(account)) return {}
  return {
    ...(typeof account.name === 'string' ? { name: account.name } : {}),
    ...(typeof account.phone === 'string' ? { phone: account.phone } : {}),
  }
}

/** Not parsed as a URL, because a target such as //x:y is not valid. */
export const targetQuery = ({ request: { target } }: Exchange): URLSearchParams =>
  new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?')) : '')

/** True if a fault or a condition counted this call, so one call more or fewer would change the run. */
export const isAffected = ({ faults = [], conditions = {} }: Exchange): boolean =>
  faults.length > 0 || conditions.failed !== undefined || conditions.lost === true
