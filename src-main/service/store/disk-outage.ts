import { isDiskRefusal } from '../../core/protocol/disk-refusal.ts'
import type { Log } from '../../core/protocol/log.ts'

/** One line when the disk begins to refuse, however many writes it refuses, and one when it takes them again. */
export type DiskOutage = {
  refused(reason: unknown): void
  written(): void
}

export const createDiskOutage = (log: Log): DiskOutage => {
  let out = false
  return {
    refused: (reason) => {
      if (out || !isDiskRefusal(reason)) return
      out = true
      log({ level: 'error', event: 'store not written', code: reason.code, error: reason.message })
    },
    written: () => {
      if (!out) return
      out = false
      log({ level: 'info', event: 'store written again' })
    },
  }
}
