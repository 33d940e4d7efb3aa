import type { benchRoutes } from '../../../core/contract/control/bench-routes.ts'
import type { Body } from '../../../core/contract/control/routes.ts'
import type { serviceFaultRoutes } from '../../../core/contract/control/service-fault-routes.ts'
import type { ClockState, ProfileState, WorkspaceState } from '../../../core/contract/control/states.ts'
import type { TokenState } from '../../../core/contract/control/token-routes.ts'
import type { WorkspaceAbout } from '../../../core/contract/control/workspace-about.ts'
import type { workspaceRoutes } from '../../../core/contract/control/workspace-routes.ts'
import { notFound, type Refusal, refuse, refuseField } from '../../../core/contract/errors.ts'
import type { ClockFact } from '../../../core/contract/events.ts'
import {
  defaultProfile,
  PROFILE_KEYS,
  type Profile,
  type ProfileKey,
  profileSettings,
} from '../../../core/contract/profile.ts'
import { MAIN_WORKSPACE } from '../../../core/protocol/ids.ts'
import { withoutUndefined } from '../../../core/protocol/json.ts'
import { err, ok } from '../../../core/protocol/result.ts'
import type { BenchClock } from '../../harness/clock.ts'
import {
  type Answer,
  addressesOf,
  answerWith,
  type Call,
  type ControlParts,
  type Handlers,
  type RouteIds,
} from '../handler.ts'
import { type Caller, canRevealSecrets, tokenLacks } from '../tokens.ts'
import { moveClock } from '../workspaces.ts'

export const workspaceHandlers = (parts: ControlParts): Handlers<RouteIds<typeof workspaceRoutes>> => {
  const { admin, leases, phones, recorder, seedOf, workspaces } = parts
  const lastSeq = (workspace: string, done: Answer<null>) =>
    answerWith(done, () => ({ last_seq: recorder.lastSeq(workspace) }))
  const setConditions = async (
    { workspace, body: { lease, ...part } }: { readonly workspace: string; readonly body: Body<'conditions.put'> },
    change: typeof admin.conditions.replace,
  ) => {
    const { scope } = part
    if (lease === undefined) {
      const changed = await change(workspace, part)
      if (changed.ok && scope !== undefined) leases.disown(workspace, scope)
      return changed
    }
    if (scope === undefined) return err(refuseField({ code: 'field_missing', params: { field: 'scope' } }))
    return leases.setConditions({ workspace, lease, scope }, () => change(workspace, part))
  }

  return {
    ...clockHandlers(parts),
    overview: async ({ workspace, caller }) => {
      const [clock, profile, conditions, counts] = await Promise.all([
        readClock(parts, workspace),
        admin.profile.get(workspace),
        admin.conditions.get(workspace),
        admin.workspaces.counts(workspace),
      ])
      if (!clock.ok) return clock
      if (!profile.ok) return profile
      if (!conditions.ok) return conditions
      if (!counts.ok) return counts
      const { first_seq, last_seq } = recorder.read(workspace, { limit: 0 })
      return ok({
        workspace,
        seed: canRevealSecrets(caller) ? (seedOf(workspace) ?? null) : null,
        addresses: addressesOf(parts, workspace),
        clock: clock.value,
        profile_changed: changedKeys(profile.value),
        conditions: conditions.value,
        counts: { ...counts.value, phones: phones.list(workspace).length },
        first_seq,
        last_seq,
      })
    },
    'workspace.reset': ({ workspace, body }) => lastSeq(workspace, workspaces.reset(workspace, body)),
    'profile.get': ({ workspace }) => answerWith(admin.profile.get(workspace), profileState),
    'profile.patch': ({ workspace, body }) => answerWith(admin.profile.patch(workspace, body), profileState),
    'profile.reset': ({ workspace, body: { keys } }) => {
      const { patch, reset } = admin.profile
      return answerWith(keys === undefined ? reset(workspace) : patch(workspace, defaultsOf(keys)), profileState)
    },
    'conditions.get': ({ workspace }) => admin.conditions.get(workspace),
    'conditions.put': (call) => setConditions(call, admin.conditions.replace),
    'conditions.patch': (call) => setConditions(call, admin.conditions.patch),
    'conditions.delete': ({ workspace, query }) =>
      admin.conditions.reset(workspace, Object.keys(query).length === 0 ? undefined : query),
    'snapshots.list': ({ workspace }) => answerWith(admin.snapshots.list(workspace), (snapshots) => ({ snapshots })),
    'snapshots.create': async ({ workspace, body }) => {
      const existing = await admin.snapshots.list(workspace)
      if (!existing.ok) return existing
      return workspaces.snapshot(workspace, body.name ?? `Snapshot ${existing.value.length + 1}`)
    },
    'snapshots.restore': ({ workspace, params }) => workspaces.restore(workspace, params.id),
    'snapshots.undelete': ({ workspace, params }) => workspaces.undeleteSnapshot(workspace, params.id),
    'snapshots.delete': ({ workspace, params }) =>
      answerWith(workspaces.deleteSnapshot(workspace, params.id), () => ({})),
    'workspace.export': ({ workspace }) => workspaces.export(workspace),
    'workspace.import': ({ workspace, body }) => lastSeq(workspace, workspaces.import(workspace, body)),
  }
}

const defaultsOf = (keys: readonly ProfileKey[]): Partial<Profile> =>
  Object.fromEntries(keys.map((key) => [key, defaultProfile[key]]))

const changedKeys = (profile: Profile): readonly ProfileKey[] =>
  PROFILE_KEYS.filter((key) => JSON.stringify(profile[key]) !== JSON.stringify(defaultProfile[key]))

const profileState = (profile: Profile): ProfileState => ({
  profile,
  changed: changedKeys(profile),
  settings: PROFILE_KEYS.map((key) => ({ key, ...profileSettings[key], default: defaultProfile[key] })),
})

export const workspacesHandlers = (
  parts: ControlParts,
): Handlers<Extract<RouteIds<typeof benchRoutes>, `workspaces.${string}`>> => {
  const { admin, callers, leases, recorder, seedOf, turns, workspaceLeases, workspaces } = parts

  const stateOf = (caller: Caller, id: string): WorkspaceState => ({
    id,
    seed: canRevealSecrets(caller) ? (seedOf(id) ?? null) : null,
    last_seq: recorder.lastSeq(id),
    ...admin.workspaces.about(id),
    ...withoutUndefined({ expires_at: workspaceLeases.expiresAt(id) }),
    ...addressesOf(parts, id),
  })
  const isSeen = async (caller: Caller, wanted: string): Promise<boolean> =>
    (await callers.seen(caller)).some(({ id }) => id === wanted)
  const refusalOn = async (id: string, caller: Caller, what: 'change' | 'close'): Promise<Refusal | undefined> => {
    if (!(await isSeen(caller, id))) return notFound('workspace', id)
    return callers.owns(caller, id) ? undefined : tokenLacks(what)
  }

  const create = async (
    { lease, owner, labels, lease_ms, quota, ...wanted }: Body<'workspaces.create'>,
    { workspace, opened_by }: { readonly workspace: string; readonly opened_by?: TokenState },
  ): Answer<string> => {
    const about: WorkspaceAbout = withoutAbsent({ owner, labels, lease_ms, quota, opened_by: opened_by?.id })
    const created = await leases.makeWorkspace({ workspace, lease }, () => workspaces.create({ ...wanted, about }))
    if (created.ok) workspaceLeases.arm(created.value)
    return created
  }

  /** Creates a workspace for a limited token, which then owns it: within the token's limit and with its quota. */
  const createLimited = (
    caller: Caller,
    token: TokenState,
    { workspace, body }: Pick<Call<'workspaces.create'>, 'workspace' | 'body'>,
  ): Answer<string> =>
    turns.inTurn(token.id, async () => {
      const refusal = await callers.refusalToOpen(caller, token, body)
      return refusal === undefined
        ? create({ ...body, quota: token.quota }, { workspace, opened_by: token })
        : err(refusal)
    })

  return {
    'workspaces.list': async ({ caller, query: { owner, label } }) => {
      const all = (await callers.seen(caller)).map(({ id, problem }) => ({
        ...stateOf(caller, id),
        ...(problem === undefined ? {} : { problem }),
      }))
      const wanted = (state: WorkspaceState): boolean =>
        (owner === undefined || state.owner === owner) &&
        (label === undefined || state.labels?.includes(label) === true)
      return ok({ workspaces: all.filter(wanted) })
    },
    'workspaces.create': ({ workspace, caller, body }) => {
      const { limited } = caller
      const created =
        limited === undefined ? create(body, { workspace }) : createLimited(caller, limited, { workspace, body })
      return answerWith(created, (id) => stateOf(caller, id))
    },
    'workspaces.get': async ({ params, caller }) =>
      (await isSeen(caller, params.id)) ? ok(stateOf(caller, params.id)) : err(notFound('workspace', params.id)),
    'workspaces.patch': async ({ params: { id }, caller, body }) => {
      const refusal = await refusalOn(id, caller, 'change')
      if (refusal !== undefined) return err(refusal)
      if (caller.limited !== undefined && body.quota !== undefined) return err(tokenLacks('quota'))
      if (id === MAIN_WORKSPACE && typeof body.lease_ms === 'number') {
        return err(refuse('wrong_state', { code: 'main_stays' }))
      }
      const changed = await admin.workspaces.setAbout(id, (before) => withoutAbsent({ ...before, ...body }))
      if (!changed.ok) return changed
      workspaceLeases.arm(id)
      return ok(stateOf(caller, id))
    },
    'workspaces.close': async ({ params, caller }) => {
      const refusal = await refusalOn(params.id, caller, 'close')
      return refusal === undefined ? answerWith(workspaces.close(params.id), () => ({})) : err(refusal)
    },
  }
}

const withoutAbsent = (
  part: { readonly [K in keyof WorkspaceAbout]: WorkspaceAbout[K] | null | undefined },
): WorkspaceAbout =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined && value !== null))

type Armed = Exclude<RouteIds<typeof serviceFaultRoutes>, 'catalogue.service-faults'>

export const serviceFaultHandlers = ({ admin, leases }: ControlParts): Handlers<Armed> => {
  const listed = (found: ReturnType<typeof admin.faults.list>) => answerWith(found, (faults) => ({ faults }))
  return {
    'service.arm': ({ workspace, body: { lease, ...wanted } }) =>
      leases.armFault({ workspace, lease }, () => admin.faults.arm(workspace, wanted)),
    'service.faults': ({ workspace }) => listed(admin.faults.list(workspace)),
    'service.disarm-all': ({ workspace }) => listed(admin.faults.disarm(workspace)),
    'service.disarm': ({ workspace, params }) => listed(admin.faults.disarm(workspace, params.id)),
  }
}

const readClock = async ({ clocks, admin, real }: ControlParts, workspace: string): Answer<ClockState> => {
  const next = await admin.messages.nextExpiry(workspace)
  if (!next.ok) return next
  const reading = clocks.of(workspace).read()
  const offset_ms = reading.frozen ? null : Math.round(reading.now - real.now())
  return ok({ ...reading, offset_ms, next_expiry: next.value })
}

const clockHandlers = (parts: ControlParts): Handlers<'clock.get' | 'clock.put' | 'clock.advance'> => {
  const { clocks, recorder } = parts

  const moved = async (
    workspace: string,
    move: (clock: BenchClock) => Promise<void>,
    factOf: (frozen: boolean) => Pick<ClockFact, 'change' | 'real'>,
  ): Answer<ClockState> => {
    // Events that the move causes are recorded before the move itself.
    const kept = await moveClock(parts, workspace, move)
    if (!kept.ok) return kept
    const reading = clocks.of(workspace).read()
    recorder.observe(workspace, { actor: { kind: 'control' }, kind: 'clock', ...factOf(reading.frozen), ...reading })
    return readClock(parts, workspace)
  }

  const target = async (workspace: string, body: Body<'clock.advance'>): Answer<number> => {
    if ('ms' in body) return ok(body.ms)
    const state = await readClock(parts, workspace)
    if (!state.ok) return state
    const { next_expiry, now } = state.value
    return next_expiry === null
      ? err(refuse('wrong_state', { code: 'nothing_to_expire' }))
      : ok(Math.max(0, next_expiry - now))
  }

  return {
    'clock.get': ({ workspace }) => readClock(parts, workspace),
    'clock.put': async ({ workspace, body }) => {
      const { real, ...setting } = body
      const others = Object.keys(setting)
      if (real === true && others.length > 0) {
        return err(refuse('conflicting_parameters', { code: 'real_goes_alone', params: { others } }))
      }
      return moved(
        workspace,
        (clock) => (real === true ? clock.followReal() : clock.set(setting)),
        (frozen) => ({
          change: body.now !== undefined ? 'set' : frozen ? 'frozen' : 'running',
          ...(real === true && { real }),
        }),
      )
    },
    'clock.advance': async ({ workspace, body }) => {
      const ms = await target(workspace, body)
      return ms.ok
        ? moved(
            workspace,
            (clock) => clock.advance(ms.value),
            () => ({ change: 'advanced' }),
          )
        : ms
    },
  }
}
