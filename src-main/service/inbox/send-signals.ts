import type { InboxSignal } from '../../core/contract/app/routes.ts'
import { type Exact, exactly } from '../../core/protocol/result.ts'
import type { StreamEvent } from '../../http/event-stream.ts'
import { userHandle } from '../ceremony/user-handle.ts'
import type { RequestContext, Services } from '../services.ts'
import type { CredentialRecord, MessageRecord, RpRecord } from '../store/store.ts'

/**
 * WebAuthn §5.1.10: hints that keep a phone's passkeys as the RP knows them. They have no id and are not stored:
 * each inbox begins with a list that replaces missed ones.
 */
type Place = Pick<RequestContext, 'workspace'> & { readonly services: Pick<Services, 'store' | 'inboxes'> }

export const signalUnknown = async (place: Place, gone: readonly CredentialRecord[]): Promise<void> => {
  for (const credential of gone) {
    const rp = await place.services.store.rps.get(place.workspace, credential.rp)
    if (rp === undefined) continue
    const signal = { signal: 'unknownCredential', ...namesOf(rp), credentialId: credential.id } as const
    await sendTo(place, credential, exactly(signal))
  }
}

/** The user's credentials may belong to several accounts: each gets a signal about its own. */
export const signalAccepted = async (place: Place, credential: CredentialRecord): Promise<void> => {
  const { rp: id, user_id, account } = credential
  const { store } = place.services
  const rp = await store.rps.get(place.workspace, id)
  if (rp === undefined) return
  const held = await store.credentials.list(place.workspace, { rp: id, user_id })
  const own = held.filter((each) => each.account === account)
  await sendTo(place, credential, accepted(usersOf(own, [rp]), false))
}

/** Sends a registration's user names to the accounts that have earlier credentials of this user. */
export const signalDetails = async (place: Place, rp: RpRecord, message: MessageRecord): Promise<void> => {
  const { user_id, username: name, display_name: displayName } = message
  const held = await place.services.store.credentials.list(place.workspace, { rp: rp.id, user_id })
  const names = { userId: userHandle(rp, user_id), name, displayName }
  const signal = { signal: 'currentUserDetails', ...namesOf(rp), ...names } as const
  if (held.length < 2) return
  for (const each of new Map(held.map((credential) => [credential.account, credential])).values())
    await sendTo(place, each, exactly(signal))
}

/** Longer lists are not sent: readers limit the length of a line. */
const LONGEST_LIST = 192 * 1024

/** The account's accepted credentials at every RP. */
export const acceptedSignal = async (place: Place, account: string): Promise<StreamEvent | undefined> => {
  const { store } = place.services
  const held = await store.credentials.list(place.workspace, { account })
  const rps = held.length === 0 ? [] : await store.rps.list(place.workspace)
  const event = signalEvent(accepted(usersOf(held, rps), true))
  return event.json.length > LONGEST_LIST ? undefined : event
}

const namesOf = ({ rp_id, name }: RpRecord) => ({ rpId: rp_id, rpName: name })

type Accepted = Extract<InboxSignal, { signal: 'allAcceptedCredentials' }>

const accepted = (users: Accepted['users'], complete: boolean): Exact<InboxSignal> =>
  exactly({ signal: 'allAcceptedCredentials', complete, users })

const usersOf = (held: readonly CredentialRecord[], rps: readonly RpRecord[]): Accepted['users'] => {
  const users = new Map<string, Accepted['users'][number] & { readonly allAcceptedCredentialIds: string[] }>()
  for (const { id, rp: of, user_id } of held) {
    const key = JSON.stringify([of, user_id])
    const rp = rps.find((each) => each.id === of)
    const known = users.get(key)
    if (known !== undefined) known.allAcceptedCredentialIds.push(id)
    else if (rp !== undefined)
      users.set(key, { ...namesOf(rp), userId: userHandle(rp, user_id), allAcceptedCredentialIds: [id] })
  }
  return [...users.values()]
}

const signalEvent = (signal: Exact<InboxSignal>): StreamEvent => ({ event: 'signal', json: JSON.stringify(signal) })

/** Sends to all of the account's devices: a phone that signed in again is a new device. */
const sendTo = async (
  { services, workspace }: Place,
  { account, device }: CredentialRecord,
  signal: Exact<InboxSignal>,
): Promise<void> => {
  const event = signalEvent(signal)
  const devices = (await services.store.devices.list(workspace, { account })).map(({ id }) => id)
  for (const id of new Set([device, ...devices])) services.inboxes.send(workspace, id, event)
}
