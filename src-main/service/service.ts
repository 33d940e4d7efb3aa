import type { EventDraft, OpinionNotice } from '../core/contract/events.ts'
import type { ModelMetadata } from '../core/judge/ceremony-case.ts'
import { createBackground } from '../core/protocol/background.ts'
import { MAIN_WORKSPACE } from '../core/protocol/ids.ts'
import { runAtOnce } from '../core/protocol/slices.ts'
import { createKeyedQueue } from '../core/protocol/turns.ts'
import type { WorkspaceExists } from '../http/answer-request.ts'
import { createAdmin } from './admin/create-admin.ts'
import { appMount } from './app/handle-app.ts'
import { createForwarding, type ForwardSettings } from './forward/forward-rp.ts'
import { createInboxes } from './inbox/inboxes.ts'
import { createMessageTimers } from './messages/message-timers.ts'
import { rpMount } from './rp/handle-rp.ts'
import { createSecondOpinions } from './second-opinion/second-opinions.ts'
import { closeDamaged, createKeyUseLog, markOpen, type Services } from './services.ts'
import { createRateLimit } from './settings/limits.ts'
import { createSettings } from './settings/settings.ts'
import { createWorkPoller } from './shared/pump.ts'
import { createFreshness, createSharedInboxes, type HeadChange } from './shared/shared-inboxes.ts'
import type { SharedStore } from './store/store.ts'
import { createBin } from './workspaces/bin.ts'
import { HEAD_TABLES, rowsProblem } from './workspaces/row-rules.ts'

type Given = Pick<Services, 'store' | 'clock' | 'wall' | 'random' | 'observe' | 'log' | 'addresses'>

export type ServiceOptions = Given & {
  /** Conditions and faults may name a virtual phone. Without this, the data stored by the phones' process is used. */
  readonly isDeviceOf?: Services['isDeviceOf']
  readonly metadata?: ModelMetadata
  /** The path of base_url, default `/fido`. */
  readonly prefix?: string
  readonly forward?: ForwardSettings | undefined
  /** Set if another process keeps the workspaces' clocks: this one rings no alarms, and uses the clocks as stored. */
  readonly follow?: {
    readonly begin: (workspace: string) => Promise<void>
    /** Called when another process closed the workspace: drops all memory of it. */
    readonly end: (workspace: string) => void
  }
  /** Interval of the search for workspaces that another process closed, default 10 s. */
  readonly sweepMs?: number
  /** Set if another process reports second opinions: gets those formed here. */
  readonly sendOpinion?: (workspace: string, opinion: OpinionNotice) => void
}

export type Service = Awaited<ReturnType<typeof createService>>

/** Opens every workspace in the store; makes `main` if it is missing. */
export const createService = async (options: ServiceOptions) => {
  const { store, clock, observe, addresses } = options
  const settings = createSettings(store)
  const background = createBackground(options.log)
  const { wall, log } = options
  const ownTimers = createMessageTimers({ store, clock, observe, baseUrl: addresses.baseUrl, background, wall, log })
  // If another process keeps the clocks, it sets the alarms.
  const noAlarms = { watch: () => undefined, rearm: async () => undefined }
  const timers = options.follow === undefined ? ownTimers : { ...ownTimers, ...noAlarms }
  const ownInboxes = createInboxes()
  const keyUse = createKeyUseLog()
  const { sendOpinion } = options
  const secondOpinions = createSecondOpinions(wall, {
    ...(sendOpinion && {
      formed: (workspace, msg_id, second_opinion) => sendOpinion(workspace, { msg_id, second_opinion }),
    }),
    ask: (workspace, msg_id) => store.shared?.signals.send({ about: 'opinion wanted', workspace, msg_id }),
  })
  const stopHearing = store.shared?.signals.listen((signal) => {
    if (signal.about === 'opinion wanted') void secondOpinions.of(signal.workspace, signal.msg_id)
  })
  const open: Services['open'] = new Map()
  const damaged: Services['damaged'] = new Map()
  const freshness = store.shared && createFreshness(store.shared, (change) => adopt(change))
  const sharing = store.shared && freshness && createSharedInboxes(ownInboxes, { shared: store.shared, freshness })
  const inboxes = sharing?.inboxes ?? ownInboxes
  const services: Services = {
    ...options,
    isDeviceOf: options.isDeviceOf ?? store.shared?.phones.isDevice ?? (() => false),
    settings,
    turns: createKeyedQueue(),
    timers,
    inboxes,
    rateLimit: createRateLimit(wall, store.shared),
    keyUse,
    bin: createBin(),
    secondOpinions,
    background,
    // Loaded at the first wrong signature.
    nameMistake: async (workspace, request) =>
      (await import('./signing/explain-request.ts')).findMistake({ store, settings }, workspace, request),
    open,
    damaged,
    ...(store.shared && sharing ? { shared: { store: store.shared, inboxes: sharing } } : {}),
  }

  const adopt = async ({ id, now, before }: HeadChange): Promise<void> => {
    if (now?.opened !== before?.opened && before !== undefined) {
      open.delete(id)
      damaged.delete(id)
      settings.forget(id)
      timers.forget(id)
      secondOpinions.forget(id)
      keyUse.forget(id)
      options.follow?.end(id)
    }
    if (before !== undefined && now?.emptied !== before.emptied) ownInboxes.end(id)
    if (now === undefined) return
    await settings.load(id)
    await options.follow?.begin(id)
    if (!open.has(id) && !damaged.has(id)) markOpen(services, id)
  }

  // Messages that other processes made expire here, whether or not their events came.
  const watchAll = async (shared: SharedStore): Promise<void> => {
    for (const [id, at] of await shared.expiries()) if (open.has(id)) timers.watch(id, at)
  }

  await store.workspaces.insert({ id: MAIN_WORKSPACE, created_at: clock(MAIN_WORKSPACE).now() })
  for (const { id } of await store.workspaces.list()) {
    const problem = runAtOnce(rowsProblem(await store.rows(id, HEAD_TABLES), HEAD_TABLES))
    if (problem !== undefined) {
      closeDamaged(services, id, problem)
      continue
    }
    if (freshness === undefined) {
      markOpen(services, id)
      await settings.load(id)
    } else await freshness.check(id)
    await timers.rearm(id)
  }

  const { shared } = store
  const backstop =
    shared !== undefined && options.follow === undefined
      ? createWorkPoller({ look: () => watchAll(shared), every: () => BACKSTOP_MS })
      : undefined
  // A workspace that another process closed may get no more requests, so the sweep checks all open ones.
  const sweep =
    freshness &&
    createWorkPoller({
      look: async () => void (await Promise.all([...open.keys()].map(freshness.check))),
      every: () => options.sweepMs ?? SWEEP_MS,
    })

  const prefix = options.prefix ?? '/fido'
  const forwarding = options.forward && createForwarding(services, prefix, options.forward)

  return {
    mounts: forwarding?.mounts ?? { rp: rpMount(services, prefix), app: appMount(services, '/app') },
    admin: createAdmin(services),
    workspaceExists: ((id, again = false) =>
      freshness === undefined || again
        ? open.has(id)
        : freshness.check(id).then(() => open.has(id))) satisfies WorkspaceExists,
    /** False also if this process does not know of the workspace yet. */
    isOpen: (id: string): boolean => open.has(id),
    receiveEvent: (workspace: string, draft: EventDraft): void => {
      if (draft.kind === 'verdict' && settings.profile(workspace).second_opinion === 'record') {
        secondOpinions.expect(workspace, draft.msg_id)
      }
      if (draft.kind === 'message' && draft.to === 'init') timers.watch(workspace, draft.expires_at)
      if (draft.kind === 'exchange' && draft.scope !== undefined && draft.access_key_id !== undefined) {
        keyUse.note(workspace, draft.access_key_id, clock(workspace).now())
      }
    },
    receiveOpinion: (workspace: string, { msg_id, second_opinion }: OpinionNotice): void => {
      if (open.has(workspace)) secondOpinions.receive(workspace, msg_id, second_opinion)
    },
    /** Ends inboxes and timers and waits for pending writes. The caller closes the store. */
    close: async (): Promise<void> => {
      stopHearing?.()
      for (const id of open.keys()) timers.forget(id)
      inboxes.end()
      forwarding?.close()
      await backstop?.close()
      await sweep?.close()
      await sharing?.close()
      await background.settled()
    },
  }
}

const BACKSTOP_MS = 1_000
/** Longest time that a workspace closed by another process is remembered. */
const SWEEP_MS = 10_000
