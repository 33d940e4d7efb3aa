import { DAY_MS } from '../../src-main/core/protocol/time.ts'

/** A trace opened in this browser, stored so that reloads and history entries find it again. */
type KeptTrace = { readonly digest: string; readonly file: File; readonly at: number }

const STORE = 'traces'
const MAX_TRACES = 5
/** Larger files are not stored; the user must choose them again. */
const LARGEST = 256 * 1024 * 1024

/** Stores a trace for a day only, because it may contain secrets. */
export const keepTrace = (digest: string, file: File, now: number): Promise<void> =>
  withDatabase(async (db) => {
    const kept = (await answerOf(traces(db, 'readonly').getAll())) as readonly KeptTrace[]
    const others = kept.filter((each) => each.digest !== digest).sort((a, b) => b.at - a.at)
    const store = traces(db, 'readwrite')
    for (const [place, each] of others.entries())
      if (place >= MAX_TRACES - 1 || each.at < now - DAY_MS) store.delete(each.digest)
    if (file.size <= LARGEST) await answerOf(store.put({ digest, file, at: now } satisfies KeptTrace, digest))
  })

export const findTrace = (digest: string, now: number): Promise<File | undefined> =>
  withDatabase(async (db) => {
    const kept = (await answerOf(traces(db, 'readonly').get(digest))) as KeptTrace | undefined
    return kept === undefined || kept.at < now - DAY_MS ? undefined : kept.file
  })

const withDatabase = async <T>(work: (db: IDBDatabase) => Promise<T>): Promise<T> => {
  const asked = indexedDB.open('handset', 1)
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE)
  const db = await answerOf(asked)
  return work(db).finally(() => db.close())
}

const traces = (db: IDBDatabase, mode: IDBTransactionMode): IDBObjectStore =>
  db.transaction(STORE, mode).objectStore(STORE)

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
