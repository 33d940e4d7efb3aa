import { type Conditions, conditionsPart, restoreConditions, storedConditions } from '../../core/contract/conditions.ts'
import {
  type ArmedServiceFault,
  armedServiceFault,
  armedServiceFaults,
} from '../../core/contract/control/service-fault-routes.ts'
import { quota, type WorkspaceAbout, workspaceAbout } from '../../core/contract/control/workspace-about.ts'
import { fittingPart, hasUnknown, withoutUnknown } from '../../core/contract/known-part.ts'
import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import { profilePart } from '../../core/contract/profile-schema.ts'
import { scope } from '../../core/contract/scope.ts'
import { fits } from '../../core/contract/validate.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'

/** The setting that says what a workspace is for. It is no part of its state. */
export const ABOUT = 'about'

export type SettingName = 'profile' | 'conditions' | 'service_faults' | typeof ABOUT

export type ArmedFaults = { readonly faults: readonly ArmedServiceFault[] }

/**
 * Turns stored settings of any version into those of this version: unknown members are left out, and so is the smallest
 * meaningful part around an invalid value. A profile and `about` lose one key each; one side of the conditions becomes
 * normal, because `only` limits its other keys; a fault is not armed.
 */
export const readProfile = (stored: unknown): Profile => ({ ...defaultProfile, ...fittingPart(stored, profilePart) })

export const readAbout = (stored: unknown): WorkspaceAbout => ({
  ...fittingPart(stored, workspaceAbout),
  ...(isObject(stored) && isObject(stored.quota) ? { quota: fittingPart(stored.quota, quota) } : {}),
})

export const readConditions = (stored: unknown): Conditions => {
  const { scoped, ...general } = isObject(stored) ? stored : {}
  return restoreConditions({
    ...fittingPart(general, storedConditions),
    scoped: entriesOf(scoped).flatMap((entry) =>
      // A scope with a member that is unknown here is narrower than it looks: nothing is known to be in it.
      fits(entry.scope, scope) ? [{ ...fittingPart(entry, conditionsPart), scope: entry.scope }] : [],
    ),
  })
}

export const readFaults = (stored: unknown): ArmedFaults => ({
  faults: entriesOf(isObject(stored) ? stored.faults : []).filter((entry) =>
    fits(entry, armedServiceFault),
  ) as ArmedFaults['faults'],
})

const entriesOf = (list: unknown): readonly JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])

/** False for a damaged setting. Members of a newer version are no damage. */
export const isGoodSetting: Readonly<Record<SettingName, (stored: unknown) => boolean>> = {
  profile: (stored) => fits(withoutUnknown(stored, profilePart), profilePart),
  [ABOUT]: (stored) => fits(withoutUnknown(stored, workspaceAbout), workspaceAbout),
  conditions: (stored) => fits(withoutUnknown(withKnownScopes(stored, 'scoped'), storedConditions), storedConditions),
  service_faults: (stored) => fits(withKnownScopes(stored, 'faults'), armedServiceFaults),
}

const withKnownScopes = (stored: unknown, list: 'scoped' | 'faults'): unknown => {
  const entries = isObject(stored) ? stored[list] : undefined
  if (!Array.isArray(entries)) return stored
  return {
    ...(stored as JsonObject),
    [list]: entries.filter((entry) => !isObject(entry) || !hasUnknown(entry.scope, scope)),
  }
}
