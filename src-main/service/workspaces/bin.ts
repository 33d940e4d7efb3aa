import { MAX_DELETIONS } from '../../core/contract/schema.ts'
import type { AccessKeyRecord, CredentialRecord, RootRecord, SnapshotRecord } from '../store/store.ts'

type Binned = {
  readonly 'access key': AccessKeyRecord
  readonly credential: CredentialRecord
  readonly root: RootRecord
  readonly snapshot: SnapshotRecord
}

export type Bin = ReturnType<typeof createBin>

/** Keeps the last deleted objects in memory only, so they are lost at a restart. */
export const createBin = () => {
  const bins = new Map<string, Map<string, Binned[keyof Binned]>>()
  return {
    put: <K extends keyof Binned>(workspace: string, kind: K, record: Binned[K]): void => {
      const bin = bins.get(workspace) ?? new Map()
      bins.set(workspace, bin.set(`${kind} ${record.id}`, record))
      for (const oldest of bin.keys()) {
        if (bin.size <= MAX_DELETIONS) return
        bin.delete(oldest)
      }
    },
    find: <K extends keyof Binned>(workspace: string, kind: K, id: string) =>
      bins.get(workspace)?.get(`${kind} ${id}`) as Binned[K] | undefined,
    take: <K extends keyof Binned>(workspace: string, kind: K, id: string) => {
      const bin = bins.get(workspace)
      const record = bin?.get(`${kind} ${id}`)
      bin?.delete(`${kind} ${id}`)
      return record as Binned[K] | undefined
    },
    forget: (workspace: string): void => void bins.delete(workspace),
  }
}
