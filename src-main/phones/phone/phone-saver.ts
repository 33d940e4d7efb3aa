import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { CancelAlarm, Clock } from '../../core/protocol/time.ts'
import { type PhoneRefusal, type PhoneResult, type ReportTrouble, refusePhone } from './phone-state.ts'
import { isStorageFailure, type PhoneStorage, type StoredDocument } from './storage/open-storage.ts'

export type PhoneSaver = ReturnType<typeof createPhoneSaver>

const RETRY_MS = 5_000

/** Phones change inside stream and alarm callbacks, where no caller can receive a full-disk error. */
export const createPhoneSaver = (storage: PhoneStorage, wall: Clock, trouble: ReportTrouble) => {
  const unsaved = new Map<string, Map<string, StoredDocument>>()
  let cancelRetry: CancelAlarm | undefined

  const tryToSave = (workspace: string, phone: StoredDocument): boolean => {
    const saved = tryWrite(() => storage.savePhone(workspace, phone))
    if (saved.ok) {
      forget(workspace, phone.id)
      return true
    }
    if (unsaved.size === 0) trouble(workspace, saved.error)
    unsaved.set(workspace, (unsaved.get(workspace) ?? new Map<string, StoredDocument>()).set(phone.id, phone))
    return false
  }

  const saveAll = (): void => {
    for (const [workspace, phones] of [...unsaved]) {
      // If the disk refuses one phone, it refuses all.
      for (const phone of [...phones.values()]) if (!tryToSave(workspace, phone)) return
    }
  }

  const retryLater = (): void => {
    cancelRetry ??= wall.at(wall.now() + RETRY_MS, () => {
      cancelRetry = undefined
      saveAll()
      if (unsaved.size > 0) retryLater()
    })
  }

  /** Stops trying to save: the phone was removed or replaced, or its workspace closed. */
  const forget = (workspace: string, phoneId?: string): void => {
    const phones = unsaved.get(workspace)
    if (phoneId === undefined) phones?.clear()
    else phones?.delete(phoneId)
    if (phones?.size === 0) unsaved.delete(workspace)
  }

  return {
    /** Never throws a disk error: an unsaved phone stays in memory, and saving it is retried. */
    save: (workspace: string, phone: StoredDocument): void => {
      if (!tryToSave(workspace, phone)) retryLater()
    },
    isUnsaved: (workspace: string, phoneId: string) => unsaved.get(workspace)?.has(phoneId) === true,
    forget,
    /** Tries again to save the unsaved phones. */
    close: (): void => {
      cancelRetry?.()
      saveAll()
    },
  }
}

/** A refusal by the disk becomes a refusal of the phone. */
export const tryWrite = <T>(write: () => T): Result<T, PhoneRefusal> => {
  try {
    return ok(write())
  } catch (reason) {
    return notSaved(reason)
  }
}

/** Resolves once all written data would survive a loss of power. */
export const waitForDisk = (storage: Pick<PhoneStorage, 'synced'>): PhoneResult<void> =>
  storage.synced().then(ok, notSaved)

const notSaved = (reason: unknown) => {
  if (!isStorageFailure(reason)) throw reason
  return err(refusePhone('not_saved', { reason: { code: 'storage_says', params: { message: reason.message } } }))
}
