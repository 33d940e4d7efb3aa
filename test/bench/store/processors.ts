import { readdirSync, readFileSync } from 'node:fs'

/** proc(5): one tick is 10 ms on every Linux that Node runs on. */
const TICK_MS = 10

type Stat = { readonly parent: number; readonly ownMs: number; readonly endedChildrenMs: number }

const statOf = (pid: number): Stat | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = (...at: readonly number[]): number => at.reduce((sum, i) => sum + Number(fields[i]), 0) * TICK_MS
    return { parent: Number(fields[1]), ownMs: ticks(11, 12), endedChildrenMs: ticks(13, 14) }
  } catch {
    // It ended meanwhile.
    return undefined
  }
}

/** Processor time of a process and of all that it started, those that ended among them: of a database, say. */
export const processorTreeMs = (pid: number): number => {
  const root = statOf(pid)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter(({ parent }) => parent === pid)
  return (root?.ownMs ?? 0) + (root?.endedChildrenMs ?? 0) + children.reduce((sum, { ownMs }) => sum + ownMs, 0)
}
