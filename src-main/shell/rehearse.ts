import { phoneTroubleIn } from '../core/contract/phone-trouble.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { type ControlClient, ControlError } from '../sdk/client.ts'
import { texts } from './texts.ts'

/** One white pixel: the reader of codes has to be there to find nothing in it. */
const BLANK = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=='

type Addresses = { readonly uiUrl: string; readonly controlUrl: string }

/** Checks that a talk can be given without a network: uses everything for it once, in a separate workspace. */
export const rehearse = async (
  { uiUrl, controlUrl }: Addresses,
  client: ControlClient,
): Promise<Result<null, string>> => {
  const elsewhere = [uiUrl, controlUrl].find((address) => !isHere(address))
  if (elsewhere !== undefined) return err(texts.rehearsal.elsewhere(elsewhere))
  const missing = await missingFile(uiUrl)
  if (missing !== undefined) return err(texts.rehearsal.missing(missing))
  const { id } = await client.call('workspaces.create', { body: {} })
  try {
    const status = await signIn(client.workspace(id))
    return status === 'success' ? ok(null) : err(texts.rehearsal.failed(status))
  } catch (reason) {
    if (!(reason instanceof ControlError)) throw reason
    return err(texts.rehearsal.failed(reason.message))
  } finally {
    await client.call('workspaces.close', { params: { id } })
  }
}

/** Of this computer whether or not there is a network to ask for the name. */
const isHere = (address: string): boolean =>
  /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname)

const missingFile = async (page: string): Promise<string | undefined> => {
  const document = await fetch(page)
  const html = await document.text()
  const files = [...html.matchAll(/ (?:src|href)="([^"]+)"/g)].flatMap(([, file]) => file ?? [])
  // Without a script it is what the service shows where no page has been built.
  if (!document.ok || files.length === 0) return page
  for (const file of files) {
    const address = new URL(file, page)
    if (address.origin !== new URL(page).origin || !(await fetch(address)).ok) return address.href
  }
  return undefined
}

/** A registration by code, a sign-in by push, and a look at a picture without a code. */
const signIn = async (client: ControlClient): Promise<string> => {
  const user = { user_id: 'rehearsal', username: 'rehearsal', poll: false } as const
  const made = await client.call('rps.create', { body: { name: 'Rehearsal', rp_id: 'localhost' } })
  const { id } = await client.call('phones.create', { body: { name: 'Rehearsal' } })
  const [rp, phone] = [{ rp: made.id }, { id }]
  await client.call('keys.create', { params: rp, body: {} })
  await client.call('phones.scan', { params: phone, body: { image: { data: BLANK, type: 'png' } } }).catch(isNoCode)
  const { url, msg_id } = await client.call('simulator.register', { params: rp, body: user })
  await client.call('phones.scan', { params: phone, body: { url } })
  await client.call('phones.approve', { params: phone, body: {} })
  await client.call('simulator.poll', { params: { ...rp, msg_id }, body: {} })
  const asked = await client.call('simulator.sign-in', { params: rp, body: { ...user, method: 'push' } })
  await client.call('phones.open', { params: phone, body: { msg_id: asked.msg_id } })
  await client.call('phones.approve', { params: phone, body: {} })
  return (await client.call('simulator.poll', { params: { ...rp, msg_id: asked.msg_id }, body: {} })).status
}

const isNoCode = (reason: unknown): void => {
  if (!(reason instanceof ControlError) || phoneTroubleIn(reason.data)?.word !== 'no_code') throw reason
}
