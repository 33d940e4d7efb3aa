import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { formatRfc3339 } from '../../core/protocol/time.ts'
import type { Credential, CredentialSource } from '../authenticator/credential.ts'
import { decodeKept, type KeptCredential } from './kept-credential.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import { attempt, onDisk } from './phone-saver.ts'
import type { CredentialStorage, HeldCredential } from './phone-state.ts'
import type { ChipOwner, PhoneStorage } from './storage/phone-storage.ts'
import type { Vault } from './vault.ts'

export type Keyring = {
  /** Chip and cloud, as far as the cloud was looked into, oldest first. */
  list(): readonly HeldCredential[]
  readonly source: CredentialSource
  storageOf(id: string): CredentialStorage | undefined
  /** Looks into the cloud again. */
  refresh(): Promise<Result<void, PhoneRefusal>>
  keep(storage: CredentialStorage, kept: KeptCredential): Promise<Result<void, PhoneRefusal>>
  /** After a signature: what the authenticator says the credential is now. */
  update(credential: Credential): Promise<Result<void, PhoneRefusal>>
  discard(id: string): Promise<Result<boolean, PhoneRefusal>>
  /** The chip's content and all that was seen of the cloud. */
  clear(): Result<void, PhoneRefusal>
  /** What was seen of the cloud: the phone signed out. */
  forgetCloud(): void
}

const views = new WeakMap<KeptCredential, HeldCredential>()

/** Made once: a kept credential never changes, it is replaced. */
const heldOf = (storage: CredentialStorage, kept: KeptCredential): HeldCredential => {
  const known = views.get(kept)
  if (known !== undefined) return known
  const { name, credential } = kept
  const held = {
    id: credential.id,
    name,
    rp_id: credential.rpId,
    username: credential.userName,
    storage,
    created_at: formatRfc3339(credential.createdAt),
  }
  views.set(kept, held)
  return held
}

/** A phone's credentials: those in its own chip and those of its account in the cloud. */
export const createKeyring = (options: {
  readonly storage: PhoneStorage
  readonly owner: ChipOwner
  readonly vault: Vault
  readonly random: () => RandomSource
}): Keyring => {
  const { storage, owner, vault, random } = options
  const chip = new Map(storage.chip(owner).map(({ id, json }) => [id, decodeKept(json)]))
  // Drawn with each change of the phone, so it is kept.
  let drawn: readonly HeldCredential[] | undefined

  const draw = (): readonly HeldCredential[] =>
    [
      ...[...chip.values()].map((kept) => ({ where: 'chip' as const, kept })),
      ...vault.known().map((kept) => ({ where: 'cloud' as const, kept })),
    ]
      .sort((a, b) => a.kept.credential.createdAt - b.kept.credential.createdAt)
      .map(({ where, kept }) => heldOf(where, kept))

  /** For each change of the held credentials. */
  const changing = <T>(work: T): T => {
    drawn = undefined
    return work
  }

  const find = (id: string): KeptCredential | undefined => chip.get(id) ?? vault.get(id)

  /** On the disk first: nothing is signed with a key, or a counter, that the next start does not know. */
  const saveInChip = async (kept: KeptCredential): Promise<Result<void, PhoneRefusal>> => {
    const { id } = kept.credential
    const saved = attempt(() => storage.saveInChip(owner, { id, json: JSON.stringify(kept) }))
    if (!saved.ok) return saved
    if (!saved.value) return err(refusePhone('not_saved'))
    chip.set(id, kept)
    drawn = undefined
    return onDisk(storage)
  }

  return {
    list() {
      drawn ??= draw()
      return drawn
    },
    source: {
      forRp: (rpId, ids) =>
        (ids === undefined ? [...chip.values(), ...vault.known()] : [...ids].flatMap((id) => find(id) ?? []))
          .map(({ credential }) => credential)
          .filter((credential) => credential.rpId === rpId),
    },
    storageOf: (id) => (chip.has(id) ? 'chip' : vault.get(id) === undefined ? undefined : 'cloud'),
    refresh: async () => changing(await vault.refresh()),
    async keep(where, kept) {
      if (where === 'cloud') return changing(await vault.put(kept, random()))
      return saveInChip(kept)
    },
    async update(credential) {
      const inChip = chip.get(credential.id)
      if (inChip !== undefined) return saveInChip({ ...inChip, credential })
      const inCloud = vault.get(credential.id)
      // A synchronised credential counts nothing, so a signature seldom changes it.
      if (inCloud === undefined || JSON.stringify(inCloud.credential) === JSON.stringify(credential))
        return ok(undefined)
      return vault.put({ ...inCloud, credential }, random())
    },
    async discard(id) {
      if (chip.has(id)) {
        const removed = attempt(() => storage.removeFromChip(owner, id))
        if (!removed.ok) return removed
        changing(chip.delete(id))
        const synced = await onDisk(storage)
        return synced.ok ? removed : synced
      }
      return changing(await vault.remove(id))
    },
    clear() {
      const cleared = attempt(() => storage.clearChip(owner))
      if (!cleared.ok) return cleared
      chip.clear()
      return ok(changing(vault.forget()))
    },
    forgetCloud: () => changing(vault.forget()),
  }
}
