import type { PhoneStorage, StoredDocument } from './phone-storage.ts'

/**
 * A storage in memory, which ends with its phones: each change of a phone replaces the one before, and only what is there
 * when it is read is written.
 */
export const writtenWhenRead = (storage: PhoneStorage): PhoneStorage => {
  const waiting = new Map<string, Map<string, StoredDocument>>()

  const upToDate = (workspace: string): PhoneStorage => {
    const phones = waiting.get(workspace)
    waiting.delete(workspace)
    for (const phone of phones?.values() ?? []) storage.savePhone(workspace, phone)
    return storage
  }

  return {
    ...storage,
    phones: (workspace) => upToDate(workspace).phones(workspace),
    savePhone: (workspace, phone) => {
      const phones = waiting.get(workspace) ?? new Map<string, StoredDocument>()
      waiting.set(workspace, phones.set(phone.id, phone))
    },
    removePhone: (workspace, phoneId) => upToDate(workspace).removePhone(workspace, phoneId),
    saveInChip: (owner, credential) => upToDate(owner.workspace).saveInChip(owner, credential),
    snapshot: (workspace) => upToDate(workspace).snapshot(workspace),
    keep: (key, stored) => upToDate(key).keep(key, stored),
    keys: () => {
      for (const workspace of [...waiting.keys()]) upToDate(workspace)
      return storage.keys()
    },
    forget: (workspace) => {
      waiting.delete(workspace)
      storage.forget(workspace)
    },
  }
}
