import type { Body } from '../../core/contract/control/routes.ts'
import type { SnapshotState } from '../../core/contract/control/states.ts'
import type { Quota, WorkspaceAbout } from '../../core/contract/control/workspace-about.ts'
import { notFound, quotaReached, type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import type { ValueOf } from '../../core/contract/schema.ts'
import { findProblem } from '../../core/contract/validate.ts'
import { workspaceDocument } from '../../core/contract/workspace-document.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { runInSlices } from '../../core/protocol/slices.ts'
import { type Clock, clockTimeAt, type KeptClock, type Millis, withoutFuture } from '../../core/protocol/time.ts'
import type { Phones } from '../../phones/phone/phones.ts'
import type { StoredWorkspace } from '../../phones/phone/storage/open-storage.ts'
import { parseStoredWorkspace } from '../../phones/phone/stored-form.ts'
import type { ExternalRows, Outcome } from '../../service/admin/admin.ts'
import type { Admin } from '../../service/admin/create-admin.ts'
import type { BenchClock, BenchClocks } from '../harness/clock.ts'
import type { BenchRandom } from '../harness/random.ts'
import type { Recorder } from '../harness/recorder.ts'
import type { RelyingParties } from '../harness/rp-simulators.ts'

type NewWorkspace = Pick<Body<'workspaces.create'>, 'id' | 'seed' | 'clock' | 'profile' | 'rp'> & {
  readonly about: WorkspaceAbout
}

export type Workspaces = ReturnType<typeof createWorkspaces>

/** The parts of the bench that each have data of a workspace. */
export type BenchSides = {
  readonly admin: Admin
  readonly phones: Phones
  readonly clocks: BenchClocks
  readonly real: Clock
  readonly recorder: Recorder
  readonly relyingParties: RelyingParties
}

type WorkspacesParts = BenchSides & {
  readonly random: BenchRandom
  /** References to a closed workspace must not apply to the next one of that name. */
  readonly forgetName: (workspace: string) => Promise<void>
  readonly seed: (workspace: string, rp: 'demo' | 'none') => Outcome<null>
}

type Replacement<T> = {
  readonly stored: StoredWorkspace
  readonly held: Millis
  readonly put: (others: ExternalRows) => Outcome<T>
  /** The clock of the new state; undefined if the workspace's own continues. */
  readonly clockAfter: (replaced: T) => KeptClock | undefined
}

/** Clock state that a snapshot adds to the service's rows. The phones keep their part themselves. */
type Moment = { readonly frozen: boolean; readonly speed: number }

/** Operations that change a workspace's service data, phones, clock and simulated RPs together. */
export const createWorkspaces = (parts: WorkspacesParts) => {
  const { admin, phones, clocks, real, random, recorder, relyingParties, seed, forgetName } = parts
  const trustOwnRoots = createOwnRootTrust(parts)

  const forgetSides = async (workspace: string): Promise<void> => {
    relyingParties.forget(workspace)
    await phones.forget(workspace)
  }

  const create = async (wanted: NewWorkspace): Outcome<string> => {
    const id = wanted.id ?? drawId(random)
    const clock = clocks.draft(id, wanted.clock)
    const opened = await admin.workspaces.open(id, wanted.about, {
      at: clock.now(),
      // This runs once the id is reserved: a caller that loses the race must not choose the winner's clock and secrets.
      begin: () => {
        clocks.begin(id, clock)
        if (wanted.seed !== undefined) random.seedWorkspace(id, wanted.seed)
      },
    })
    if (!opened.ok) return opened
    const prepared = await prepare(id, wanted)
    if (prepared.ok) return ok(id)
    await close(id)
    return prepared
  }

  const prepare = async (id: string, { profile, rp = 'demo' }: NewWorkspace): Outcome<null> => {
    if (profile !== undefined) {
      const patched = await admin.profile.patch(id, profile)
      if (!patched.ok) return patched
    }
    const seeded = await seed(id, rp)
    if (!seeded.ok) return seeded
    await phones.start(id)
    const trusted = await trustOwnRoots(id)
    return trusted.ok ? keepClock(parts, id) : trusted
  }

  const close = async (workspace: string): Outcome<null> => {
    if (workspace === MAIN_WORKSPACE) return err(refuse('wrong_state', { code: 'main_stays' }))
    const known = (await admin.workspaces.list()).some(({ id }) => id === workspace)
    if (!known) return err(notFound('workspace', workspace))
    await forgetSides(workspace)
    phones.snapshots.dropAll(workspace)
    const closed = await admin.workspaces.close(workspace)
    clocks.forget(workspace)
    random.forget(workspace)
    recorder.forget(workspace)
    await forgetName(workspace)
    return closed
  }

  const reset = async (workspace: string, { settings = false }: { readonly settings?: boolean }): Outcome<null> => {
    await forgetSides(workspace)
    const done = await admin.workspaces.reset(workspace, { settings })
    if (!done.ok) return done
    // All objects are gone, so the values of a seeded bench can repeat from here.
    if (settings) random.restore(workspace, {})
    await clocks.of(workspace).followReal()
    const kept = await keepClock(parts, workspace)
    if (!kept.ok) return kept
    const seeded = settings ? await seed(workspace, 'demo') : ok(null)
    return seeded.ok ? trustOwnRoots(workspace) : seeded
  }

  /** Replaces phones and service data in one step while the clock stands at `held`. */
  const replace = async <T>(workspace: string, { stored, held, put, clockAfter }: Replacement<T>): Outcome<null> => {
    const beyond = phoneQuotaRefusal(admin.workspaces.about(workspace).quota ?? {}, stored.phones.length)
    if (beyond !== undefined) return err(beyond)
    const done = await clocks.of(workspace).heldAt<Result<null, Refusal>>(held, async () => {
      const replaced = await phones.replace(workspace, stored, put)
      if (!replaced.ok) return { next: undefined, value: replaced }
      relyingParties.forget(workspace)
      const trusted = await trustOwnRoots(workspace)
      return { next: clockAfter(replaced.value), value: trusted }
    })
    const kept = await keepClock(parts, workspace)
    return done.ok ? kept : done
  }

  const restore = async (workspace: string, id: string): Outcome<SnapshotState> => {
    const listed = await admin.snapshots.list(workspace)
    if (!listed.ok) return listed
    const snapshot = listed.value.find((one) => one.id === id)
    if (snapshot === undefined) return err(notFound('snapshot', id))
    const stored = phones.snapshots.find({ workspace, snapshot: id })
    if (stored === undefined) return err(refuse('wrong_state', { code: 'phones_not_kept' }))
    const clockOf = (extra: unknown): KeptClock => {
      const { frozen, speed } = extra as Moment
      return { now: snapshot.created_at, speed, ...(frozen ? {} : { real: real.now() }) }
    }
    const done = await replace(workspace, {
      stored,
      held: snapshot.created_at,
      put: (others) => admin.snapshots.restore(workspace, id, clockOf, others),
      clockAfter: ({ extra }) => clockOf(extra),
    })
    return done.ok ? ok(snapshot) : done
  }

  const importInto = async (workspace: string, document: Readonly<Record<string, unknown>>): Outcome<null> => {
    const problem = findProblem(document, workspaceDocument)
    if (problem !== undefined) return err(refuseField(problem, 'invalid_parameter'))
    const { clock, phones: part = { phones: [] } } = document as ValueOf<typeof workspaceDocument>
    const stored = await runInSlices(parseStoredWorkspace(part))
    if (!stored.ok) return err(refuseField(stored.error, 'invalid_parameter'))
    const time = real.now()
    const given = clock && withoutFuture(clock, time)
    // If the document has no clock, the workspace's own continues.
    const kept = given ?? clocks.of(workspace).kept()
    return replace(workspace, {
      stored: stored.value,
      held: clockTimeAt(kept, time),
      put: (others) => admin.workspaces.import(workspace, document.service, kept, others),
      clockAfter: () => given,
    })
  }

  return {
    create,
    close,
    reset,
    restore,
    trustOwnRoots,
    snapshot: async (workspace: string, name: string): Outcome<SnapshotState> => {
      const stored = await phones.snapshot(workspace)
      const { frozen, speed } = clocks.of(workspace).read()
      const extra: Moment = { frozen, speed }
      return admin.snapshots.create(
        workspace,
        { name, extra },
        {
          keep: (snapshot) => phones.snapshots.keep({ workspace, snapshot }, stored),
          drop: (snapshot) => phones.snapshots.drop({ workspace, snapshot }),
        },
      )
    },
    deleteSnapshot: async (workspace: string, id: string): Outcome<null> => {
      const deleted = await admin.snapshots.delete(workspace, id)
      if (deleted.ok) phones.snapshots.drop({ workspace, snapshot: id })
      return deleted
    },
    undeleteSnapshot: (workspace: string, id: string): Outcome<SnapshotState> =>
      admin.snapshots.undelete(workspace, id, {
        keep: async (snapshot) => void phones.snapshots.takeBack({ workspace, snapshot }),
        drop: (snapshot) => phones.snapshots.drop({ workspace, snapshot }),
      }),
    export: async (workspace: string): Outcome<Readonly<Record<string, unknown>>> => {
      const stored = await phones.snapshot(workspace)
      const rows = await admin.workspaces.export(workspace)
      if (!rows.ok) return rows
      const clock = clocks.of(workspace).kept()
      return ok({ format: 'handset-bench', version: 1, service: rows.value, phones: stored, clock })
    },
    import: importInto,
  }
}

const LETTERS = 'abcdefghjkmnpqrstvwxyz'

/** The service checks the rest of the quota. */
export const phoneQuotaRefusal = ({ phones = Number.POSITIVE_INFINITY }: Quota, count: number): Refusal | undefined =>
  count > phones ? quotaReached('phones', phones) : undefined

const drawId = (random: BenchRandom): string => {
  const bytes = random.stream(MAIN_WORKSPACE, 'bench', 'workspace').bytes(10)
  return [...bytes].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
}

type ClockParts = Pick<WorkspacesParts, 'admin' | 'clocks'>

/** Stores a moved clock at the service before the call is answered; the harness runs the clock. */
const keepClock = ({ admin, clocks }: ClockParts, workspace: string): Outcome<null> =>
  admin.clock.keep(workspace, clocks.of(workspace).kept())

/** If storing fails the clock continues as before: a refused call has no effect. */
export const moveClock = async (
  parts: ClockParts,
  workspace: string,
  move: (clock: BenchClock) => Promise<void>,
): Outcome<null> => {
  const clock = parts.clocks.of(workspace)
  const before = clock.kept()
  await parts.admin.clock.prepare(workspace)
  try {
    await move(clock)
    await parts.admin.settled()
    return await keepClock(parts, workspace)
  } catch (reason) {
    await clock.heldAt(clock.now(), async () => ({ next: before, value: null }))
    throw reason
  }
}

type AttestationAuthority = Awaited<ReturnType<Phones['makers']>>

const makerRoots = (makers: AttestationAuthority) =>
  Object.entries(makers.formats).map(([format, { root }]) => ({
    name: `Handset ${format}`,
    certificate: Buffer.from(root.certificate, 'base64url').toString('base64'),
  }))

export const ownRootsPem = (makers: AttestationAuthority): string =>
  makerRoots(makers)
    .map(({ certificate }) => {
      const lines = certificate.match(/.{1,64}/g) ?? []
      return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
    })
    .join('')

/** A workspace trusts its own phones' makers; other roots of the same name are removed. */
export const createOwnRootTrust =
  ({ admin, phones }: Pick<BenchSides, 'admin' | 'phones'>) =>
  async (workspace: string): Outcome<null> => {
    const own = makerRoots(await phones.makers(workspace))
    const trusted = await admin.roots.list(workspace)
    if (!trusted.ok) return trusted
    const isOwn = (root: { readonly certificate: string }): boolean =>
      own.some(({ certificate }) => certificate === root.certificate)
    for (const root of trusted.value) {
      if (own.some(({ name }) => name === root.name) && !isOwn(root)) {
        const deleted = await admin.roots.delete(workspace, root.id)
        if (!deleted.ok) return deleted
      }
    }
    for (const root of own) {
      if (trusted.value.some(({ certificate }) => certificate === root.certificate)) continue
      const added = await admin.roots.add(workspace, root)
      if (!added.ok) return added
    }
    return ok(null)
  }
