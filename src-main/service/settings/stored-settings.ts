import { isDeepStrictEqual } from 'node:util'
import {
  type Conditions,
  conditionsPart,
  normalConditions,
  restoreConditions,
  storedConditions,
} from '../../core/contract/conditions.ts'
import {
  type ArmedServiceFault,
  armedServiceFault,
  armedServiceFaults,
} from '../../core/contract/control/service-fault-routes.ts'
import { quota, type WorkspaceAbout, workspaceAbout } from '../../core/contract/control/workspace-about.ts'
import { hasUnknownMembers, pickValidMembers, stripUnknown } from '../../core/contract/known-part.ts'
import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import { profilePart } from '../../core/contract/profile-schema.ts'
import { scope } from '../../core/contract/scope.ts'
import { fitsSchema } from '../../core/contract/validate.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'

/** The setting that says what a workspace is for. The setting is not part of the workspace's state. */
export const ABOUT_SETTING = 'about'

export type SettingName = 'profile' | 'conditions' | 'service_faults' | typeof ABOUT_SETTING

export type ArmedFaults = { readonly faults: readonly ArmedServiceFault[] }

/**
 * Turns stored settings of any version into those of this version: unknown members are left out, and so is the smallest
 * meaningful part around an invalid value. A profile and `about` lose one key each; one side of the conditions becomes
 * normal, because `only` limits its other keys; a fault is not armed.
 */
export const readProfile = (stored: unknown): Profile => ({
  ...defaultProfile,
  ...pickValidMembers(stored, profilePart),
})

export const readAbout = (stored: unknown): WorkspaceAbout => ({
  ...pickValidMembers(stored, workspaceAbout),
  ...(isObject(stored) && isObject(stored.quota) ? { quota: pickValidMembers(stored.quota, quota) } : {}),
})

export const readConditions = (stored: unknown): Conditions => {
  const { scoped, ...general } = isObject(stored) ? stored : {}
  const conditions = restoreConditions({
    ...pickValidMembers(general, storedConditions),
    scoped: entriesOf(scoped).flatMap((entry) =>
      // A scope with an unknown member is narrower than it looks, so no call is treated as being in it.
      fitsSchema(entry.scope, scope) ? [{ ...pickValidMembers(entry, conditionsPart), scope: entry.scope }] : [],
    ),
  })
  // All workspaces without conditions share one object, so that a request needs only one comparison.
  return isDeepStrictEqual(conditions, normalConditions) ? normalConditions : conditions
}

export const readFaults = (stored: unknown): ArmedFaults => ({
  faults: entriesOf(isObject(stored) ? stored.faults : []).filter((entry) =>
    fitsSchema(entry, armedServiceFault),
  ) as ArmedFaults['faults'],
})

const entriesOf = (list: unknown): readonly JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])

/** False for a damaged setting. Members of a newer version are no damage. */
export const isValidSetting: Readonly<Record<SettingName, (stored: unknown) => boolean>> = {
  profile: (stored) => fitsSchema(stripUnknown(stored, profilePart), profilePart),
  [ABOUT_SETTING]: (stored) => fitsSchema(stripUnknown(stored, workspaceAbout), workspaceAbout),
  conditions: (stored) =>
    fitsSchema(stripUnknown(withKnownScopes(stored, 'scoped'), storedConditions), storedConditions),
  service_faults: (stored) => fitsSchema(withKnownScopes(stored, 'faults'), armedServiceFaults),
}

const withKnownScopes = (stored: unknown, list: 'scoped' | 'faults'): unknown => {
  const entries = isObject(stored) ? stored[list] : undefined
  if (!Array.isArray(entries)) return stored
  return {
    ...(stored as JsonObject),
    [list]: entries.filter((entry) => !isObject(entry) || !hasUnknownMembers(entry.scope, scope)),
  }
}

/** `known` keeps stored members that only another version knows; `all` replaces everything, as a reset does. */
export type ChangeReach = 'known' | 'all'

type Change = { readonly before: unknown; readonly after: unknown }

/** The setting to store after a change of `stored`, of which this version reads `before`. */
export const mergeStored = (
  stored: unknown,
  { reach, ...change }: Change & { readonly reach: ChangeReach },
): unknown => (reach === 'all' ? change.after : keepUnknown(stored, change))

/** Members that the change did not touch, or that were not read, stay as stored. */
const keepUnknown = (stored: unknown, { before, after }: Change): unknown => {
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
    // All known members come from the change: an invalid stored one would make the next reader ignore the change.
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

/** Armed faults have an id, conditions a scope. A map, because searching a long list for each entry is slow. */
const byIdentity = (list: unknown): ReadonlyMap<string, unknown> =>
  new Map((Array.isArray(list) ? list : []).map((entry) => [identityOf(entry), entry]))

const identityOf = (entry: unknown): string => {
  const { id, scope } = membersOf(entry)
  if (typeof id === 'string') return id
  return JSON.stringify(isObject(scope) ? Object.entries(scope).toSorted() : entry)
}
