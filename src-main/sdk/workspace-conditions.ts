import { isSameScope } from '../core/contract/conditions.ts'
import type { ConditionsState } from '../core/contract/control/states.ts'
import type { Scope } from '../core/contract/scope.ts'
import type { Body, ControlClient } from './client.ts'

export type WorkspaceConditions = {
  /** Replaces those of its `scope`, or those for everybody; what is not named is normal. */
  set(conditions: Body<'conditions.put'>): Promise<ConditionsState>
  /** Those of one scope, or all; on a lease all that were set through it. */
  clear(scope?: Body<'conditions.put'>['scope']): Promise<void>
}

export const conditionsOf = (client: ControlClient, { lease }: { readonly lease?: string }): WorkspaceConditions => {
  const replace = (body: Body<'conditions.put'>) => client.call('conditions.put', { body })
  const clear = async (scope: Scope = {}): Promise<void> =>
    void (await client.call('conditions.delete', { query: scope }))
  if (lease === undefined) return { set: replace, clear }

  let scopes: readonly Scope[] = []
  let forEverybody = false
  const forget = (scope: Scope): void => {
    scopes = scopes.filter((each) => !isSameScope(each, scope))
  }
  return {
    set: async (body) => {
      const { scope } = body
      // The bench has no lease on what concerns everybody.
      const state = await replace(scope === undefined ? body : { lease, ...body })
      if (scope === undefined) {
        forEverybody = true
        return state
      }
      forget(scope)
      scopes = [...scopes, scope]
      return state
    },
    clear: async (scope) => {
      for (const each of scope === undefined ? scopes : [scope]) {
        await clear(each)
        forget(each)
      }
      if (scope !== undefined || !forEverybody) return
      await replace({})
      forEverybody = false
    },
  }
}
