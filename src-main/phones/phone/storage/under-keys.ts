import type { ChipOwner, PhoneStorage } from './phone-storage.ts'

/** The same storage, asked by a workspace's id for what stands under its key: all but the snapshots. */
export const underKeys = (storage: PhoneStorage, keyOf: (workspace: string) => string): PhoneStorage => {
  const owner = ({ workspace, phoneId }: ChipOwner): ChipOwner => ({ workspace: keyOf(workspace), phoneId })
  return {
    ...storage,
    phones: (workspace) => storage.phones(keyOf(workspace)),
    savePhone: (workspace, phone) => storage.savePhone(keyOf(workspace), phone),
    removePhone: (workspace, phoneId) => storage.removePhone(keyOf(workspace), phoneId),
    chip: (of) => storage.chip(owner(of)),
    saveInChip: (of, credential) => storage.saveInChip(owner(of), credential),
    removeFromChip: (of, id) => storage.removeFromChip(owner(of), id),
    clearChip: (of) => storage.clearChip(owner(of)),
    makers: (workspace) => storage.makers(keyOf(workspace)),
    saveMakers: (workspace, json) => storage.saveMakers(keyOf(workspace), json),
    snapshot: (workspace) => storage.snapshot(keyOf(workspace)),
    forget: (workspace) => storage.forget(keyOf(workspace)),
  }
}
