import { callersOf, phoneNumber } from './callers.ts'
import { good, KEY } from './cast.ts'
import { openLine } from './line.ts'
import type { WireRequest } from './wire.ts'

/** What there is in a workspace, by the segment of the path below which it lies, and words for bodies, by their name. */
export type Known = Map<string, readonly string[]>

/**
 * A workspace on which the control interface is tried: requests move its clock, order conditions, restore, reset and close
 * it, so it is a new one after a while.
 */
export const makeStorm = async (
  bench: { readonly port: number; readonly token: string },
  id: string,
): Promise<Known> => {
  const line = openLine(bench.port)
  const bare = { ...bench, key: KEY }
  const outside = callersOf(bare).control
  const { control } = callersOf({ ...bare, workspace: id })
  const call = async (request: WireRequest) => good(await line.ask(request)).json.data
  const idsOf = async (path: string, name: string): Promise<readonly string[]> =>
    (await call(control('GET', path)))[name].map((one: Record<string, string>) => one.id ?? one.msg_id)

  await line.ask(outside('DELETE', `/workspaces/${id}`))
  await call(outside('POST', '/workspaces', { id }))
  const phones: string[] = []
  for (const name of ['Alice', 'Bob']) {
    phones.push((await call(control('POST', '/phones', { name, account: { name, phone: phoneNumber(name) } }))).id)
  }
  const rps = await idsOf('/rps', 'rps')
  const simulator = `/rps/${rps[0]}/simulator`
  const user = { user_id: 'u1', username: 'alice', poll: false }
  const first = await call(control('POST', `${simulator}/register`, user))
  await call(control('POST', `/phones/${phones[0]}/scan`, { url: first.url }))
  await call(control('POST', `/phones/${phones[0]}/approve`, {}))
  const next = await call(control('POST', `${simulator}/sign-in`, { ...user, method: 'qrcode' }))
  const { faults } = await call(control('GET', '/phone-faults'))
  const armed = await call(control('POST', `/phones/${phones[1]}/faults`, { fault: faults[0].name }))
  await call(control('POST', '/snapshots', { name: 'Before' }))
  const messages = await idsOf('/messages', 'messages')
  const known: Known = new Map([
    ['rps', rps],
    ['keys', await idsOf(`/rps/${rps[0]}/keys`, 'keys')],
    ['phones', phones],
    ['messages', messages],
    ['attempts', messages],
    ['credentials', await idsOf('/credentials', 'credentials')],
    ['devices', await idsOf('/devices', 'devices')],
    ['roots', await idsOf('/roots', 'roots')],
    ['snapshots', await idsOf('/snapshots', 'snapshots')],
    ['faults', [armed.id]],
    ['workspaces', [id]],
    ['url', [first.url, next.url]],
    ['msg_id', messages],
    ['same_account_as', phones],
    ['fault', faults.map(({ name }: { name: string }) => name)],
    ['model', ['granite-one', 'cloud-pebble']],
  ])
  line.close()
  return known
}
