import { type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { type Admin, inWorkspace, type Parts, recordSetting } from '../admin/admin.ts'
import { setAside } from '../services.ts'
import { ABOUT } from '../settings/stored-settings.ts'
import type { WorkspaceExport } from '../store/store.ts'
import { exportOf, parseExport, replaceWorkspace } from './export-rows.ts'
import { keepClock, NOWHERE, readable } from './kept-clocks.ts'
import { markOpen } from './open-workspaces.ts'

/** Tables of activity, as opposed to settings. */
const HAPPENED = ['messages', 'credentials', 'accounts', 'devices', 'pushes', 'vault']
const SET = ['rps', 'access_keys', 'roots', 'settings']

export const workspacesOf = (parts: Parts): Admin['workspaces'] => {
  const { store, random, clock, settings, timers, inboxes, observe, keyUse, bin, secondOpinions, open, damaged } =
    parts.services
  const tell = (workspace: string, change: 'opened' | 'reset' | 'restored' | 'closed'): void =>
    observe(workspace, { actor: { kind: 'control' }, kind: 'workspace', change })

  return {
    list: async () =>
      (await store.workspaces.list()).map((info) => {
        const problem = damaged.get(info.id)
        return problem === undefined ? info : { ...info, problem }
      }),
    setAside: (id, problem) => setAside(parts.services, id, problem),

    open: async (id, about = {}, start) => {
      const info = { id, created_at: start?.at ?? clock(id).now() }
      if (!(await store.workspaces.insert(info))) {
        return err(refuse('already_exists', { code: 'one_there', params: { kind: 'workspace', id } }))
      }
      start?.begin()
      if (Object.keys(about).length > 0) await settings.changeAbout(id, () => about)
      await settings.load(id)
      markOpen(open, id)
      tell(id, 'opened')
      return ok(info)
    },

    close: (id) =>
      (damaged.has(id) ? anyway : inWorkspace)(parts, id, async () => {
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
        tell(id, 'closed')
        return ok(null)
      }),

    reset: (id, how = {}) =>
      inWorkspace(parts, id, async () => {
        inboxes.end(id)
        bin.forget(id)
        // Copied as stored: a newer version may have stored members unknown here.
        const about = await store.settings.get(id, ABOUT)
        await store.clear(id, how.settings === true ? [...HAPPENED, ...SET] : HAPPENED)
        if (how.settings === true && about !== undefined) await store.settings.set(id, ABOUT, about)
        await settings.load(id)
        await timers.rearm(id)
        tell(id, 'reset')
        return ok(null)
      }),

    counts: (id) =>
      inWorkspace(parts, id, async () => {
        await timers.expireDue(id)
        return ok(await store.counts(id))
      }),

    export: (id): Promise<Result<WorkspaceExport, Refusal>> =>
      inWorkspace(parts, id, async () => ok(await exportOf(parts.services, id))),

    about: settings.about,
    setAbout: (id, change) =>
      inWorkspace(parts, id, async () => {
        const about = await settings.changeAbout(id, change)
        recordSetting(parts, id, { subject: 'workspace', change: 'changed', detail: { ...about } })
        return ok(about)
      }),

    rowKey: store.rowKey,

    import: (id, value, clock, others) =>
      inWorkspace(parts, id, async () => {
        const parsed = await parseExport(value)
        if (!parsed.ok) return err(refuseField(parsed.error, 'invalid_parameter'))
        const taken = await replaceWorkspace(parts.services, id, { content: parsed.value, clock, others })
        if (taken.ok) tell(id, 'restored')
        return taken
      }),
  }
}

/** Deleting must also work for a workspace that cannot be opened. */
const anyway: typeof inWorkspace = (_parts, _workspace, run) => run()

export const documentsOf = ({ services: { store } }: Parts): Admin['documents'] => ({
  get: (name) => readable(store, NOWHERE, name),
  set: (name, value) => store.settings.set(NOWHERE, name, value),
  delete: (name) => store.settings.delete(NOWHERE, name),
})

export const clockOf = (parts: Parts): Admin['clock'] => ({
  prepare: async (workspace) => {
    if (parts.services.shared !== undefined) await parts.services.timers.rearm(workspace)
  },
  keep: (workspace, clock) =>
    inWorkspace(parts, workspace, async () => {
      await keepClock(parts.services.store, workspace, clock)
      return ok(null)
    }),
})
