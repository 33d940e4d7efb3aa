import type { StartProblem } from '../../core/contract/start-problems.ts'
import type { Log } from '../../core/protocol/log.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import { openDataDirectory } from '../../disk/data-directory.ts'
import { openStore } from '../store/open-store.ts'
import type { PostgresLocation } from '../store/postgres/location.ts'
import type { Store } from '../store/store.ts'
import { takeBenchPlace } from './bench-place.ts'

/** Everything is in memory without a directory; beside a database the directory has only the phones. */
export const openBenchStore = async (
  where: { readonly dataDirectory?: string; readonly database?: PostgresLocation },
  { log, lost }: { readonly log: Log; readonly lost: (why: StartProblem) => void },
): Promise<Result<Store, StartProblem>> => {
  const { database, dataDirectory } = where
  if (database === undefined) {
    return openStore(dataDirectory === undefined ? { kind: 'memory' } : { kind: 'directory', path: dataDirectory }, log)
  }
  // It still has one user at a time.
  const directory = dataDirectory === undefined ? ok(undefined) : openDataDirectory(dataDirectory, process.pid)
  if (!directory.ok) return directory
  const release = (): void => directory.value?.release()
  const opened = await openStore({ kind: 'postgres', database, release }, log)
  if (!opened.ok) release()
  if (!opened.ok || opened.value.shared === undefined) return opened
  const store = opened.value
  const place = await takeBenchPlace({ shared: opened.value.shared, shown: database.shown, log, lost })
  if (!place.ok) {
    await store.close()
    return place
  }
  const close = async (): Promise<void> => {
    await place.value.release()
    await store.close()
  }
  return ok({ ...store, close })
}
