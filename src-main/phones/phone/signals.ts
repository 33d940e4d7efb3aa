import { type InboxSignal, inboxSignal } from '../../core/contract/app/routes.ts'
import type { PhoneFact } from '../../core/contract/events.ts'
import { fitsSchema } from '../../core/contract/validate.ts'
import { parseJsonOrNothing } from '../../core/protocol/json.ts'
import { type ActionAt, changesOf, type PhoneCore, triggerFaults } from './phone-core.ts'
import type { KeptCredential } from './vault.ts'

/** Hides, restores or renames passkeys, and reports a signal that it does not obey. */
export const receiveSignal = (core: PhoneCore, data: string): void => {
  const sent = parseSignal(data)
  if (sent === undefined) return
  const triggered = triggerFaults(core, { stage: 'signal' })
  const courses = changesOf(COURSES, triggered)
  const signal = courses.reduce<InboxSignal | undefined>((now, { change }) => now && change(now), sent)
  const outcome = signal === undefined ? 'ignored' : refusalOf(core, signal)
  const faults = triggered.map(({ fault }) => fault)
  // Not reported without a fault: another phone of the account may have the passkey.
  if (outcome !== undefined && (outcome !== 'not_held' || faults.length > 0))
    core.report('changed', undefined, { signal: { name: sent.signal, outcome, faults } })
  if (signal !== undefined) applySignal(core, signal)
}

/** No RP can have it: RFC 6761 §6.4. */
const ANOTHER_RP = { rpId: 'another-rp.invalid', rpName: 'Another RP' } as const

/** A misattributed list is marked incomplete, because a complete one would also hide passkeys that it does not name. */
const COURSES: Readonly<Record<ActionAt<'signal'>, (signal: InboxSignal) => InboxSignal | undefined>> = {
  'ignore-signal': () => undefined,
  'misattribute-signal': (signal) =>
    signal.signal === 'allAcceptedCredentials'
      ? { ...signal, complete: false, users: signal.users.map((user) => ({ ...user, ...ANOTHER_RP })) }
      : { ...signal, ...ANOTHER_RP },
}

const isOwn = (core: PhoneCore, kept: KeptCredential): boolean =>
  (kept.account ?? core.record().account.phone) === core.record().account.phone

type Outcome = NonNullable<PhoneFact['signal']>['outcome']

/** Undefined if the signal is about a passkey of this phone's account, or about all of them. */
const refusalOf = (core: PhoneCore, signal: InboxSignal): Outcome | undefined => {
  if ('complete' in signal && signal.complete) return undefined
  const parts = 'users' in signal ? signal.users : [signal]
  const outcomes = core.keyring.kept().flatMap((kept): readonly (Outcome | undefined)[] => {
    const { id, rpId, userHandle } = kept.credential
    const part = parts.find((each) => ('userId' in each ? each.userId === userHandle : each.credentialId === id))
    if (part === undefined) return []
    return [part.rpId !== rpId ? 'another_rp' : isOwn(core, kept) ? undefined : 'another_account']
  })
  return outcomes.includes(undefined) ? undefined : (outcomes[0] ?? 'not_held')
}

/** Changes only this account's passkeys: the chip may also have those of other accounts. */
const applySignal = (core: PhoneCore, signal: InboxSignal): void => {
  const own = core.keyring.kept().filter((kept) => isOwn(core, kept))
  if (signal.signal === 'currentUserDetails') return void core.ports.track(rename(core, own, signal))
  const by = passkeyRemovers(core)
  for (const { credential } of own) {
    const verdict = verdictOn(credential, signal)
    if (verdict === 'accepted') by.delete(credential.id)
    else if (verdict !== undefined) by.set(credential.id, by.get(credential.id) ?? verdict.by)
  }
  setRemoved(core, by)
}

type Details = Extract<InboxSignal, { signal: 'currentUserDetails' }>

/** The service has accepted this passkey just now. */
export const restorePasskey = (core: PhoneCore, id: string): void => {
  const by = passkeyRemovers(core)
  if (by.delete(id)) core.set({ removed: recordsOf(by) })
}

/** Names of the RPs that removed passkeys, by credential ID. */
export const passkeyRemovers = (core: PhoneCore): Map<string, string> =>
  new Map(core.record().removed?.map(({ id, by }) => [id, by]))

const recordsOf = (by: Iterable<readonly [string, string]>) => Array.from(by, ([id, name]) => ({ id, by: name }))

const setRemoved = (core: PhoneCore, by: ReadonlyMap<string, string>): void => {
  const held = new Set(core.keyring.kept().map(({ credential }) => credential.id))
  const removed = recordsOf([...by].filter(([id]) => held.has(id)))
  if (JSON.stringify(removed) === JSON.stringify(core.record().removed ?? [])) return
  core.set({ removed })
  core.report('changed')
}

const rename = async (core: PhoneCore, own: readonly KeptCredential[], signal: Details): Promise<void> => {
  const { rpId, userId, name: userName, displayName } = signal
  for (const { credential: known } of own) {
    if (known.rpId !== rpId || known.userHandle !== userId) continue
    if (known.userName === userName && known.displayName === displayName) continue
    await core.exclusive(async () => {
      // A signature may have changed its counter in the meantime.
      const credential = core.keyring.kept().find((kept) => kept.credential.id === known.id)?.credential
      if (credential === undefined) return
      const updated = await core.keyring.update({ ...credential, userName, displayName })
      // Another phone of the account was first.
      if (!updated.ok) await core.keyring.refresh()
    })
    core.report('changed')
  }
}

const parseSignal = (data: string): InboxSignal | undefined => {
  const signal = parseJsonOrNothing(data)
  return fitsSchema(signal, inboxSignal) ? signal : undefined
}

/** Undefined if the signal says nothing about the credential. */
const verdictOn = (
  { id, rpId, userHandle }: KeptCredential['credential'],
  signal: Exclude<InboxSignal, Details>,
): 'accepted' | { readonly by: string } | undefined => {
  if (signal.signal === 'unknownCredential')
    return signal.rpId === rpId && signal.credentialId === id ? { by: signal.rpName } : undefined
  const users = signal.users.filter((user) => user.rpId === rpId)
  if (users.some(({ allAcceptedCredentialIds: ids }) => ids.includes(id))) return 'accepted'
  const user = users.find(({ userId }) => userId === userHandle)
  if (user !== undefined) return { by: user.rpName }
  return signal.complete ? { by: users[0]?.rpName ?? rpId } : undefined
}
