import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import type { Log } from '../../core/protocol/log.ts'
import { err, ok, orNothing, type Result } from '../../core/protocol/result.ts'
import { openDataDirectory } from '../../disk/data-directory.ts'
import { openStore } from '../store/open-store.ts'
import type { PostgresLocation } from '../store/postgres/location.ts'
import type { BenchHolder, SharedStore, Store } from '../store/store.ts'

/** With a database, the directory stores only the phones. With neither, everything stays in memory. */
export const openBenchStore = async (
  where: { readonly dataDirectory?: string; readonly database?: PostgresLocation },
  { log, lost }: { readonly log: Log; readonly lost: (why: StartProblem) => void },
): Promise<Result<Store, StartProblem>> => {
  const { database, dataDirectory } = where
  if (database === undefined) {
    return openStore(dataDirectory === undefined ? { kind: 'memory' } : { kind: 'directory', path: dataDirectory }, log)
  }
  // Even with a database, only one process may use the directory.
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

/** An owner that has not renewed the place for this long has lost it. */
export const PLACE_TTL_SECONDS = 10
const RENEW_MS = 2_000
const LOOK_MS = 250

/**
 * Names the scope in which our process id is valid: containers may share a host name, but not process ids. A system
 * without /proc, such as macOS, has only the host name.
 */
export const PROCESS_SCOPE = [
  hostname(),
  orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  orNothing(() => readlinkSync('/proc/self/ns/pid')),
]
  .join(' ')
  .trim()

const nameOf = (place: string): string => place.split(' ')[0] ?? place

type BenchPlace = { release(): Promise<void> }

type Options = {
  readonly shared: Pick<SharedStore, 'bench'>
  readonly shown: string
  readonly log: Log
  /** Called when another bench has the place: this one was silent for too long. */
  readonly lost: (why: StartProblem) => void
}

/**
 * Ensures that a store has only one bench. Waits until the place of a killed holder is free; refuses if the holder
 * renews it. The place is a row and not a lock, because behind a pooler no lock outlives its transaction.
 */
export const takeBenchPlace = async ({
  shared,
  shown,
  log,
  lost,
}: Options): Promise<Result<BenchPlace, StartProblem>> => {
  const { id } = shared.bench
  const own = { host: PROCESS_SCOPE, pid: process.pid }
  let before: BenchHolder | undefined
  for (;;) {
    const holder = await shared.bench.take(own, PLACE_TTL_SECONDS)
    if (holder.id === id) break
    if (before !== undefined && (holder.id !== before.id || holder.seen !== before.seen)) {
      return err({ code: 'bench_place_taken', params: { shown, pid: holder.pid, host: nameOf(holder.host) } })
    }
    if (before === undefined)
      log({ level: 'info', event: 'waits for the bench place', host: nameOf(holder.host), pid: holder.pid })
    before = holder
    if (isGone(holder)) await shared.bench.release(holder.id)
    else await pause(LOOK_MS)
  }

  const renew = async (): Promise<void> => {
    // If the database is unreachable, the next interval asks again.
    const holder = await shared.bench.take(own, PLACE_TTL_SECONDS).catch(() => undefined)
    if (holder === undefined || holder.id === id) return
    clearInterval(timer)
    log({ level: 'error', event: 'bench place lost', host: nameOf(holder.host), pid: holder.pid })
    const params = { shown, pid: holder.pid, host: nameOf(holder.host), seconds: PLACE_TTL_SECONDS }
    lost({ code: 'bench_place_lost', params })
  }
  const timer = setInterval(() => void renew(), RENEW_MS).unref()
  return ok({
    release: async () => {
      clearInterval(timer)
      await shared.bench.release(id).catch(() => undefined)
    },
  })
}

/** True if the process ran on this host and has ended. */
const isGone = ({ host, pid }: BenchHolder): boolean => {
  if (host !== PROCESS_SCOPE) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (reason) {
    return reason instanceof Error && 'code' in reason && reason.code === 'ESRCH'
  }
}
