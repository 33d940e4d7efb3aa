import { notFound, type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import { utf8 } from '../../core/protocol/bytes.ts'
import { MAIN_WORKSPACE, makeId } from '../../core/protocol/ids.ts'
import { isObject } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { runInSlices } from '../../core/protocol/slices.ts'
import { parseJsonSteps } from '../../http/parse-json.ts'
import {
  type Admin,
  type AdminParts,
  cannotReturnRefusal,
  type ExternalPart,
  inWorkspaces,
  notInBinRefusal,
  recordSetting,
} from '../admin/admin.ts'
import { closeDamaged } from '../services.ts'
import { ABOUT_SETTING } from '../settings/stored-settings.ts'
import type { SnapshotRecord, WorkspaceExport } from '../store/store.ts'
import { exportWorkspace, parseExport, replaceWorkspace } from './export-rows.ts'
import { NO_WORKSPACE, readIfValid, storeClock } from './kept-clocks.ts'
import { markOpen } from './open-workspaces.ts'

/** Tables that record activity, not settings. */
const HAPPENED = ['messages', 'credentials', 'accounts', 'devices', 'pushes', 'vault']
const SET = ['rps', 'access_keys', 'roots', 'settings']

type WhileOpen = Pick<Admin['workspaces'], 'reset' | 'counts' | 'export' | 'setAbout' | 'import'>

export const workspacesOf = (parts: AdminParts): Admin['workspaces'] => {
  const { store, random, clock, settings, timers, inboxes, observe, keyUse, bin, secondOpinions, open, damaged } =
    parts.services
  const observeChange = (workspace: string, change: 'opened' | 'reset' | 'restored' | 'closed'): void =>
    observe(workspace, { actor: { kind: 'control' }, kind: 'workspace', change })

  return {
    list: async () =>
      (await store.workspaces.list()).map((info) => {
        const problem = damaged.get(info.id)
        return problem === undefined ? info : { ...info, problem }
      }),
    setAside: (id, problem) => closeDamaged(parts.services, id, problem),

    open: async (id, about = {}, start) => {
      const info = { id, created_at: start?.at ?? clock(id).now() }
      if (!(await store.workspaces.insert(info))) {
        return err(refuse('already_exists', { code: 'one_there', params: { kind: 'workspace', id } }))
      }
      start?.begin()
      if (Object.keys(about).length > 0) await settings.changeAbout(id, () => about)
      await settings.load(id)
      markOpen(open, id)
      observeChange(id, 'opened')
      return ok(info)
    },

    close: async (id) => {
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

    about: settings.about,
    rowKey: store.rowKey,
    ...inWorkspaces<WhileOpen>(parts, {
      reset: async (id, how = {}) => {
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

      counts: async (id) => {
        await timers.expireDue(id)
        return ok(await store.counts(id))
      },

      export: async (id) => ok(await exportWorkspace(parts.services, id)),

      setAbout: async (id, change) => {
        const about = await settings.changeAbout(id, change)
        recordSetting(parts, id, { subject: 'workspace', change: 'changed', detail: { ...about } })
        return ok(about)
      },

      import: async (id, value, clock, others) => {
        const parsed = await parseExport(value)
        if (!parsed.ok) return err(refuseField(parsed.error, 'invalid_parameter'))
        const taken = await replaceWorkspace(parts.services, id, { content: parsed.value, clock, others })
        if (taken.ok) observeChange(id, 'restored')
        return taken
      },
    }),
  }
}

export const documentsOf = ({ services: { store } }: AdminParts): Admin['documents'] => ({
  get: (name) => readIfValid(store, NO_WORKSPACE, name),
  set: (name, value) => store.settings.set(NO_WORKSPACE, name, value),
  delete: (name) => store.settings.delete(NO_WORKSPACE, name),
})

export const clockOf = (parts: AdminParts): Admin['clock'] => ({
  prepare: async (workspace) => {
    if (parts.services.shared !== undefined) await parts.services.timers.rearm(workspace)
  },
  ...inWorkspaces<Pick<Admin['clock'], 'keep'>>(parts, {
    keep: async (workspace, clock) => {
      await storeClock(parts.services.store, workspace, clock)
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

export const snapshotsOf = (parts: AdminParts): Admin['snapshots'] => {
  const { store, random, clock, observe, bin } = parts.services
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
    list: async (workspace) => ok(await store.snapshots.list(workspace)),

    create: async (workspace, input, others) => {
      // The id is drawn before the stream positions are read, so that a snapshot after a restore gets a new id.
      const id = makeId('snapshot', random.stream(workspace, 'snapshots', 'snapshot id'))
      const content: Content = { export: await exportWorkspace(parts.services, workspace), extra: input.extra ?? null }
      const info = { id, name: input.name, created_at: clock(workspace).now() }
      await insertWith(others, workspace, { ...info, content: JSON.stringify(content) })
      recordSetting(parts, workspace, { subject: 'snapshot', change: 'created', id, detail: { name: input.name } })
      return ok(info)
    },

    restore: async (workspace, id, clockOf, others) => {
      const record = await store.snapshots.get(workspace, id)
      if (record === undefined) return err(notFound('snapshot', id))
      const { content, ...snapshot } = record
      const kept = await parseContent(content)
      if (!kept.ok) return kept
      const { export: state, extra } = kept.value
      const taken = await replaceWorkspace(parts.services, workspace, {
        content: state,
        clock: clockOf?.(extra),
        others,
      })
      if (!taken.ok) return taken
      observe(workspace, { actor: { kind: 'control' }, kind: 'workspace', change: 'restored', snapshot: id })
      return ok({ snapshot, extra })
    },

    delete: async (workspace, id) => {
      const record = await store.snapshots.get(workspace, id)
      if (record === undefined || !(await store.snapshots.delete(workspace, id))) return err(notFound('snapshot', id))
      bin.put(workspace, 'snapshot', record)
      recordSetting(parts, workspace, { subject: 'snapshot', change: 'deleted', id })
      return ok(null)
    },

    undelete: async (workspace, id, others) => {
      const record = bin.find(workspace, 'snapshot', id)
      if (record === undefined) return err(notInBinRefusal('snapshot', id))
      if (!(await insertWith(others, workspace, record))) return err(cannotReturnRefusal('snapshot', id))
      bin.take(workspace, 'snapshot', id)
      const { content: _, ...info } = record
      recordSetting(parts, workspace, { subject: 'snapshot', change: 'created', id, detail: { name: info.name } })
      return ok(info)
    },
  }
}
