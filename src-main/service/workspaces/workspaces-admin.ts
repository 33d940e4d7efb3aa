import type { WorkspaceAbout } from '../../core/contract/control/workspace-about.ts'
import { type FieldProblem, notFound, type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import { utf8 } from '../../core/protocol/bytes.ts'
import { MAIN_WORKSPACE, makeId } from '../../core/protocol/ids.ts'
import { isObject } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { runInSlices } from '../../core/protocol/slices.ts'
import type { KeptClock } from '../../core/protocol/time.ts'
import { parseJsonSteps } from '../../http/parse-json.ts'
import {
  cannotReturnRefusal,
  type ExternalPart,
  type ExternalRows,
  inWorkspaces,
  notInBinRefusal,
  recordSetting,
  type WorkspaceInfo,
  type WorkspaceStart,
} from '../admin/admin.ts'
import { closeDamaged, markOpen, type Services } from '../services.ts'
import { ABOUT_SETTING } from '../settings/stored-settings.ts'
import type { SnapshotRecord, WorkspaceExport } from '../store/store.ts'
import { exportWorkspace, parseExport, replaceWorkspace } from './export-rows.ts'
import { NO_WORKSPACE, readIfValid, storeClock } from './kept-clocks.ts'

/** Tables that record activity, not settings. */
const HAPPENED = ['messages', 'credentials', 'accounts', 'devices', 'pushes', 'vault']
const SET = ['rps', 'access_keys', 'roots', 'settings']

export const workspacesOf = (services: Services) => {
  const { store, random, clock, settings, timers, inboxes, observe, keyUse, bin, secondOpinions, open, damaged } =
    services
  const observeChange = (workspace: string, change: 'opened' | 'reset' | 'restored' | 'closed'): void =>
    observe(workspace, { actor: { kind: 'control' }, kind: 'workspace', change })

  return {
    /** Includes damaged workspaces, which have a `problem` and can only be closed. */
    list: async () =>
      (await store.workspaces.list()).map((info): WorkspaceInfo => {
        const problem = damaged.get(info.id)
        return problem === undefined ? info : { ...info, problem }
      }),
    /** Called when a workspace's data in another module (its phones) cannot be read. */
    setAside: (id: string, problem: FieldProblem) => closeDamaged(services, id, problem),

    /** `already_exists` when it is open. A new workspace has no RP and the default profile. */
    open: async (id: string, about: WorkspaceAbout = {}, start?: WorkspaceStart) => {
      const info = { id, created_at: start?.at ?? clock(id).now() }
      if (!(await store.workspaces.insert(info))) {
        return err(refuse('already_exists', { code: 'one_there', params: { kind: 'workspace', id } }))
      }
      start?.begin()
      if (Object.keys(about).length > 0) await settings.changeAbout(id, () => about)
      await settings.load(id)
      markOpen(services, id)
      observeChange(id, 'opened')
      return ok(info)
    },

    /** `main` cannot be closed (`wrong_state`). */
    close: async (id: string) => {
      // Deleting must also work for a workspace that cannot be opened.
      if (!open.has(id) && !damaged.has(id)) return err(notFound('workspace', id))
      if (id === MAIN_WORKSPACE) return err(refuse('wrong_state', { code: 'main_stays' }))
      open.delete(id)
      damaged.delete(id)
      timers.forget(id)
      inboxes.end(id)
      await store.workspaces.delete(id)
      settings.forget(id)
      random.forget(id)
      keyUse.forget(id)
      bin.forget(id)
      secondOpinions.forget(id)
      observeChange(id, 'closed')
      return ok(null)
    },

    /** Owner, quota and the like: kept by reset, import and restore. */
    about: settings.about,
    /** Key under which other modules keep data of the workspace. Each replacement makes a new key. */
    rowKey: store.rowKey,
    ...inWorkspaces(services, {
      /** Empties the tables of activity; with `settings` also those of settings. */
      reset: async (id: string, how: { readonly settings?: boolean } = {}) => {
        inboxes.end(id)
        bin.forget(id)
        // Copied as stored: a newer version may have stored members unknown here.
        const about = await store.settings.get(id, ABOUT_SETTING)
        await store.clear(id, how.settings === true ? [...HAPPENED, ...SET] : HAPPENED)
        if (how.settings === true && about !== undefined) await store.settings.set(id, ABOUT_SETTING, about)
        await settings.load(id)
        await timers.rearm(id)
        observeChange(id, 'reset')
        return ok(null)
      },

      counts: async (id: string) => {
        await timers.expireDue(id)
        return ok(await store.counts(id))
      },

      /** Includes secrets. */
      export: async (id: string) => ok(await exportWorkspace(services, id)),

      setAbout: async (id: string, change: (before: WorkspaceAbout) => WorkspaceAbout) => {
        const about = await settings.changeAbout(id, change)
        recordSetting(services, id, { subject: 'workspace', change: 'changed', detail: { ...about } })
        return ok(about)
      },

      /** Replaces all of the workspace, its clock as well if one is given, atomically. Snapshots stay. */
      import: async (id: string, value: unknown, clock?: KeptClock, others?: ExternalRows) => {
        const parsed = await parseExport(value)
        if (!parsed.ok) return err(refuseField(parsed.error, 'invalid_parameter'))
        const taken = await replaceWorkspace(services, id, { content: parsed.value, clock, others })
        if (taken.ok) observeChange(id, 'restored')
        return taken
      },
    }),
  }
}

export const documentsOf = ({ store }: Services) => ({
  get: (name: string) => readIfValid(store, NO_WORKSPACE, name),
  set: (name: string, value: unknown) => store.settings.set(NO_WORKSPACE, name, value),
  delete: (name: string) => store.settings.delete(NO_WORKSPACE, name),
})

export const clockOf = (services: Services) => ({
  /** Called before a clock moves, so that messages of other processes expire as well. */
  prepare: async (workspace: string) => {
    if (services.shared !== undefined) await services.timers.rearm(workspace)
  },
  ...inWorkspaces(services, {
    /** Awaited before a clock change is answered, so that the change outlives the process. Its own event reports it. */
    keep: async (workspace: string, clock: KeptClock) => {
      await storeClock(services.store, workspace, clock)
      return ok(null)
    },
  }),
})

type Content = { readonly export: WorkspaceExport; readonly extra: unknown }

const parseContent = async (text: string): Promise<Result<Content, Refusal>> => {
  const content = await runInSlices(parseJsonSteps(utf8(text)))
  const { export: state, extra } = content.ok && isObject(content.value) ? content.value : {}
  const parsed = await parseExport(state)
  if (parsed.ok) return ok({ export: parsed.value, extra })
  return err(refuse('wrong_state', { code: 'snapshot_damaged', params: { problem: parsed.error } }))
}

export const snapshotsOf = (services: Services) => {
  const { store, random, clock, observe, bin } = services
  /** Stores other modules' data first, so that any listed snapshot can be restored even if the disk fails later. */
  const insertWith = async (others: ExternalPart | undefined, workspace: string, record: SnapshotRecord) => {
    await others?.keep(record.id)
    try {
      return await store.snapshots.insert(workspace, record)
    } catch (reason) {
      others?.drop(record.id)
      throw reason
    }
  }

  return {
    list: async (workspace: string) => ok(await store.snapshots.list(workspace)),

    /** `extra` is kept unchanged and returned by restore: state that other modules own (clock, phones). */
    create: async (
      workspace: string,
      input: { readonly name: string; readonly extra?: unknown },
      others?: ExternalPart,
    ) => {
      // The id is drawn before the stream positions are read, so that a snapshot after a restore gets a new id.
      const id = makeId('snapshot', random.stream(workspace, 'snapshots', 'snapshot id'))
      const content: Content = { export: await exportWorkspace(services, workspace), extra: input.extra ?? null }
      const info = { id, name: input.name, created_at: clock(workspace).now() }
      await insertWith(others, workspace, { ...info, content: JSON.stringify(content) })
      recordSetting(services, workspace, { subject: 'snapshot', change: 'created', id, detail: { name: input.name } })
      return ok(info)
    },

    /** Restores everything except the snapshots; the random streams are restored as well. */
    restore: async (workspace: string, id: string, clockOf?: (extra: unknown) => KeptClock, others?: ExternalRows) => {
      const record = await store.snapshots.get(workspace, id)
      if (record === undefined) return err(notFound('snapshot', id))
      const { content, ...snapshot } = record
      const kept = await parseContent(content)
      if (!kept.ok) return kept
      const { export: state, extra } = kept.value
      const taken = await replaceWorkspace(services, workspace, { content: state, clock: clockOf?.(extra), others })
      if (!taken.ok) return taken
      observe(workspace, { actor: { kind: 'control' }, kind: 'workspace', change: 'restored', snapshot: id })
      return ok({ snapshot, extra })
    },

    delete: async (workspace: string, id: string) => {
      const record = await store.snapshots.get(workspace, id)
      if (record === undefined || !(await store.snapshots.delete(workspace, id))) return err(notFound('snapshot', id))
      bin.put(workspace, 'snapshot', record)
      recordSetting(services, workspace, { subject: 'snapshot', change: 'deleted', id })
      return ok(null)
    },

    undelete: async (workspace: string, id: string, others?: ExternalPart) => {
      const record = bin.find(workspace, 'snapshot', id)
      if (record === undefined) return err(notInBinRefusal('snapshot', id))
      if (!(await insertWith(others, workspace, record))) return err(cannotReturnRefusal('snapshot', id))
      bin.take(workspace, 'snapshot', id)
      const { content: _, ...info } = record
      recordSetting(services, workspace, { subject: 'snapshot', change: 'created', id, detail: { name: info.name } })
      return ok(info)
    },
  }
}
