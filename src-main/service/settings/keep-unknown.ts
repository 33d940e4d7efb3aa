import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'

type Change = { readonly before: unknown; readonly after: unknown }

/**
 * What is stored after a change of a setting. `before` is what this version reads of what is stored, `after` is what the
 * change made of it. What the change did not touch stays as it is stored, and so does what was not read at all.
 */
export const keepUnknown = (stored: unknown, { before, after }: Change): unknown => {
  const there = membersOf(stored)
  const [old, now] = [membersOf(before), membersOf(after)]
  const keys = new Set([...Object.keys(there), ...Object.keys(now)])
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const value = memberOf(there[key], { before: old[key], after: now[key] })
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

const memberOf = (stored: unknown, { before, after }: Change): unknown => {
  if (stored === undefined) return after
  if (isDeepStrictEqual(before, after)) return stored
  if (isObject(stored) && isObject(after)) {
    // Its known members are all as the change left them: one that did not fit would undo the change for the next reader.
    const unknown = Object.entries(stored).filter(([key]) => !Object.hasOwn(membersOf(before), key))
    return { ...Object.fromEntries(unknown), ...after }
  }
  if (Array.isArray(stored) && stored.some(isObject)) return keepEntries(stored, { before, after })
  return after
}

const keepEntries = (stored: readonly unknown[], { before, after }: Change): unknown => {
  const [there, old, now] = [byIdentity(stored), byIdentity(before), byIdentity(after)]
  const unread = [...there].flatMap(([identity, entry]) => (old.has(identity) || now.has(identity) ? [] : [entry]))
  const entries = [...now].map(([identity, entry]) => {
    const [was, read] = [there.get(identity), old.get(identity)]
    if (was === undefined) return entry
    return read === entry ? was : keepUnknown(was, { before: read, after: entry })
  })
  return unread.length === 0 ? after && entries : [...unread, ...entries]
}

/** Armed faults have an id, conditions their scope. A list may be long: none is looked through for each entry. */
const byIdentity = (list: unknown): ReadonlyMap<string, unknown> =>
  new Map((Array.isArray(list) ? list : []).map((entry) => [identityOf(entry), entry]))

const identityOf = (entry: unknown): string => {
  const { id, scope } = membersOf(entry)
  if (typeof id === 'string') return id
  return JSON.stringify(isObject(scope) ? Object.entries(scope).toSorted() : entry)
}
