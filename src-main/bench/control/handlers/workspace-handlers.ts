import type { Body } from '../../../core/contract/control/routes.ts'
import type { serviceFaultRoutes } from '../../../core/contract/control/service-fault-routes.ts'
import type { ClockState, ProfileState } from '../../../core/contract/control/states.ts'
import type { workspaceRoutes } from '../../../core/contract/control/workspace-routes.ts'
import { refuse, refuseField } from '../../../core/contract/errors.ts'
import type { ClockFact } from '../../../core/contract/events.ts'
import {
  defaultProfile,
  PROFILE_KEYS,
  type Profile,
  type ProfileKey,
  profileSettings,
} from '../../../core/contract/profile.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { BenchClock } from '../../harness/clock.ts'
import { addressesOf, type ControlParts } from '../control-parts.ts'
import type { Answer, Handlers, RouteIds } from '../handler.ts'
import { revealsSecrets } from '../tokens.ts'
import { moveClock } from '../workspaces.ts'

export const workspaceHandlers = (parts: ControlParts): Handlers<RouteIds<typeof workspaceRoutes>> => {
  const { admin, leases, phones, recorder, seedOf, workspaces } = parts
  const readClock = clockReader(parts)
  const lastSeq = (workspace: string) => ok({ last_seq: recorder.lastSeq(workspace) })
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
    ...clockHandlers(parts, readClock),
    overview: async ({ workspace, caller }) => {
      const [clock, profile, conditions, counts] = await Promise.all([
        readClock(workspace),
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
        seed: revealsSecrets(caller) ? (seedOf(workspace) ?? null) : null,
        addresses: addressesOf(parts, workspace),
        clock: clock.value,
        profile_changed: changedKeys(profile.value),
        conditions: conditions.value,
        counts: { ...counts.value, phones: phones.list(workspace).length },
        first_seq,
        last_seq,
      })
    },
    'workspace.reset': async ({ workspace, body }) => {
      const done = await workspaces.reset(workspace, body)
      return done.ok ? lastSeq(workspace) : done
    },
    'profile.get': async ({ workspace }) => {
      const profile = await admin.profile.get(workspace)
      return profile.ok ? ok(profileState(profile.value)) : profile
    },
    'profile.patch': async ({ workspace, body }) => {
      const profile = await admin.profile.patch(workspace, body)
      return profile.ok ? ok(profileState(profile.value)) : profile
    },
    'profile.reset': async ({ workspace, body }) => {
      const profile = await (body.keys === undefined
        ? admin.profile.reset(workspace)
        : admin.profile.patch(workspace, defaultsOf(body.keys)))
      return profile.ok ? ok(profileState(profile.value)) : profile
    },
    'conditions.get': ({ workspace }) => admin.conditions.get(workspace),
    'conditions.put': (call) => setConditions(call, admin.conditions.replace),
    'conditions.patch': (call) => setConditions(call, admin.conditions.patch),
    'conditions.delete': ({ workspace, query }) =>
      admin.conditions.reset(workspace, Object.keys(query).length === 0 ? undefined : query),
    'snapshots.list': async ({ workspace }) => {
      const snapshots = await admin.snapshots.list(workspace)
      return snapshots.ok ? ok({ snapshots: snapshots.value }) : snapshots
    },
    'snapshots.create': async ({ workspace, body }) => {
      const existing = await admin.snapshots.list(workspace)
      if (!existing.ok) return existing
      return workspaces.snapshot(workspace, body.name ?? `Snapshot ${existing.value.length + 1}`)
    },
    'snapshots.restore': ({ workspace, params }) => workspaces.restore(workspace, params.id),
    'snapshots.undelete': ({ workspace, params }) => workspaces.undeleteSnapshot(workspace, params.id),
    'snapshots.delete': async ({ workspace, params }) => {
      const deleted = await workspaces.deleteSnapshot(workspace, params.id)
      return deleted.ok ? ok({}) : deleted
    },
    'workspace.export': ({ workspace }) => workspaces.export(workspace),
    'workspace.import': async ({ workspace, body }) => {
      const imported = await workspaces.import(workspace, body)
      return imported.ok ? lastSeq(workspace) : imported
    },
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

type Armed = Exclude<RouteIds<typeof serviceFaultRoutes>, 'catalogue.service-faults'>

export const serviceFaultHandlers = ({ admin, leases }: ControlParts): Handlers<Armed> => {
  const listed = async (found: ReturnType<typeof admin.faults.list>) => {
    const faults = await found
    return faults.ok ? ok({ faults: faults.value }) : faults
  }
  return {
    'service.arm': ({ workspace, body: { lease, ...wanted } }) => {
      const arm = () => admin.faults.arm(workspace, wanted)
      return lease === undefined ? arm() : leases.armFault({ workspace, lease }, arm)
    },
    'service.faults': ({ workspace }) => listed(admin.faults.list(workspace)),
    'service.disarm-all': ({ workspace }) => listed(admin.faults.disarm(workspace)),
    'service.disarm': ({ workspace, params }) => listed(admin.faults.disarm(workspace, params.id)),
  }
}

type ClockReader = (workspace: string) => Answer<ClockState>

const clockReader =
  ({ clocks, admin, real }: Pick<ControlParts, 'clocks' | 'admin' | 'real'>): ClockReader =>
  async (workspace) => {
    const next = await admin.messages.nextExpiry(workspace)
    if (!next.ok) return next
    const reading = clocks.of(workspace).read()
    const offset_ms = reading.frozen ? null : Math.round(reading.now - real.now())
    return ok({ ...reading, offset_ms, next_expiry: next.value })
  }

const clockHandlers = (
  parts: ControlParts,
  readClock: ClockReader,
): Handlers<'clock.get' | 'clock.put' | 'clock.advance'> => {
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
    return readClock(workspace)
  }

  const target = async (
    workspace: string,
    body: { readonly ms: number } | { readonly to: 'next-expiry' },
  ): Promise<Result<number, ReturnType<typeof refuse>>> => {
    if ('ms' in body) return ok(body.ms)
    const state = await readClock(workspace)
    if (!state.ok) return state
    const { next_expiry, now } = state.value
    return next_expiry === null
      ? err(refuse('wrong_state', { code: 'nothing_to_expire' }))
      : ok(Math.max(0, next_expiry - now))
  }

  return {
    'clock.get': ({ workspace }) => readClock(workspace),
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
