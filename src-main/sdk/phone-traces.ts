import type { ControlClient } from './client.ts'
import { ControlError } from './client.ts'

type Made = { readonly client: ControlClient; readonly phone: { readonly id: string }; readonly after: number }

/**
 * Takes a phone off the bench together with what it made since an event: what it registered at the service, and what it
 * was asked and did not answer. What others made stays.
 */
export const removeWithTraces = async ({ client, phone, after }: Made): Promise<void> => {
  const devices = await devicesOf({ client, phone, after })
  const { credentials } = await client.call('credentials.list')
  const pushed = await Promise.all(
    [...devices].map(async (device_id) => {
      const { events } = await client.call('events.list', { query: { after, kind: 'push', device_id } })
      return events.flatMap((event) => (event.kind === 'push' ? [event.msg_id] : []))
    }),
  )
  const { messages } = await client.call('messages.list', { query: { state: 'bind', limit: 1000 } })
  const asked = new Set([
    ...messages.flatMap(({ id, device = '' }) => (devices.has(device) ? [id] : [])),
    ...pushed.flat(),
  ])
  await unlessGone(client.call('phones.delete', { params: { id: phone.id } }))
  for (const { id, device } of credentials) {
    if (devices.has(device)) await unlessGone(client.call('credentials.delete', { params: { id } }))
  }
  for (const id of asked) await unlessGone(client.call('messages.expire', { params: { id }, body: {} }))
}

/** As the service called the phone: by another name after each sign-in. */
const devicesOf = async ({ client, phone, after }: Made): Promise<ReadonlySet<string>> => {
  const { events } = await client.call('events.list', { query: { after, kind: 'phone', phone_id: phone.id } })
  return new Set(events.flatMap((event) => (event.kind === 'phone' && event.phone?.device_id) || []))
}

/** The test itself may have removed it, or answered it just now. */
const unlessGone = async (call: Promise<unknown>): Promise<void> => {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ControlError) || ![404, 409].includes(Math.floor(error.code / 100))) throw error
  }
}
