import { StoreUnavailable } from '../../core/protocol/store-unavailable.ts'
import type { SharedStore, WorkspaceHead } from '../store/shared-store.ts'

/** Keeps this process's memory of workspaces up to date with the store. */
export type Freshness = {
  /** Resolves when everything that was changed before this call is known here. */
  check(workspace: string): Promise<void>
}

type Batch = { readonly workspaces: Set<string>; readonly done: Promise<void> }

/** No request waits longer, even if the one before it does. */
const LONGEST_MS = 5_000

const inTime = (asked: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    const refuse = (): void => reject(new StoreUnavailable(`no answer within ${LONGEST_MS / 1000} s`, false))
    timer = setTimeout(refuse, LONGEST_MS).unref()
  })
  const done = Promise.race([asked, late]).finally(() => clearTimeout(timer))
  // Waiting requests get the rejection; without any, it must still be handled.
  done.catch(() => undefined)
  return done
}

/**
 * One query at a time asks for the heads of all workspaces that requests wait for. A request that comes while one is on
 * its way waits for the next: the answer of a query that began before it may be older than a change it must see.
 */
export const createFreshness = (
  shared: Pick<SharedStore, 'heads'>,
  changed: (workspace: string, now: WorkspaceHead | undefined, before: WorkspaceHead | undefined) => Promise<void>,
): Freshness => {
  const known = new Map<string, WorkspaceHead>()
  let running: Promise<void> = Promise.resolve()
  let next: Batch | undefined

  const ask = async (workspaces: readonly string[]): Promise<void> => {
    const heads = await shared.heads(workspaces)
    for (const id of workspaces) {
      const head = heads.find((each) => each.id === id)
      const before = known.get(id)
      if (head?.version === before?.version) continue
      // After a failed read, the next request reads again.
      await changed(id, head, before)
      if (head === undefined) known.delete(id)
      else known.set(id, head)
    }
  }

  const begin = (): Batch => {
    const workspaces = new Set<string>()
    const asked = running.then(() => {
      next = undefined
      return ask([...workspaces])
    })
    running = asked.catch(() => undefined)
    return { workspaces, done: inTime(asked) }
  }

  return {
    check: (workspace) => {
      next ??= begin()
      next.workspaces.add(workspace)
      return next.done
    },
  }
}
