import { notFound, type Refusal, refuse } from '../../core/contract/errors.ts'
import { utf8 } from '../../core/protocol/bytes.ts'
import { makeId } from '../../core/protocol/ids.ts'
import { isObject } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { inSlices } from '../../core/protocol/slices.ts'
import { parseJsonSteps } from '../../http/parse-json.ts'
import {
  type Admin,
  cannotReturn,
  inWorkspace,
  notInBin,
  type OthersPart,
  type Parts,
  recordSetting,
} from '../admin/admin.ts'
import type { SnapshotRecord, WorkspaceExport } from '../store/store.ts'
import { exportOf, parseExport, replaceWorkspace } from './export-rows.ts'

type Content = { readonly export: WorkspaceExport; readonly extra: unknown }

const parseContent = async (text: string): Promise<Result<Content, Refusal>> => {
  const content = await inSlices(parseJsonSteps(utf8(text)))
  const { export: state, extra } = content.ok && isObject(content.value) ? content.value : {}
  const parsed = await parseExport(state)
  if (parsed.ok) return ok({ export: parsed.value, extra })
  return err(refuse('wrong_state', { code: 'snapshot_damaged', params: { problem: parsed.error } }))
}

export const snapshotsOf = (parts: Parts): Admin['snapshots'] => {
  const { store, random, clock, observe, bin } = parts.services
  /** Stores other modules' data first, so that any listed snapshot can be restored even if the disk fails later. */
  const insertWith = async (others: OthersPart | undefined, workspace: string, record: SnapshotRecord) => {
    await others?.keep(record.id)
    try {
      return await store.snapshots.insert(workspace, record)
    } catch (reason) {
      others?.drop(record.id)
      throw reason
    }
  }

  return {
    list: (workspace) => inWorkspace(parts, workspace, async () => ok(await store.snapshots.list(workspace))),

    create: (workspace, input, others) =>
      inWorkspace(parts, workspace, async () => {
        // The id is drawn before the stream positions are read, so that a snapshot after a restore gets a new id.
        const id = makeId('snapshot', random.stream(workspace, 'snapshots', 'snapshot id'))
        const content: Content = { export: await exportOf(parts.services, workspace), extra: input.extra ?? null }
        const info = { id, name: input.name, created_at: clock(workspace).now() }
        await insertWith(others, workspace, { ...info, content: JSON.stringify(content) })
        recordSetting(parts, workspace, { subject: 'snapshot', change: 'created', id, detail: { name: input.name } })
        return ok(info)
      }),

    restore: (workspace, id, clockOf, others) =>
      inWorkspace(parts, workspace, async () => {
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
      }),

    delete: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        const record = await store.snapshots.get(workspace, id)
        if (record === undefined || !(await store.snapshots.delete(workspace, id))) return err(notFound('snapshot', id))
        bin.put(workspace, 'snapshot', record)
        recordSetting(parts, workspace, { subject: 'snapshot', change: 'deleted', id })
        return ok(null)
      }),

    undelete: (workspace, id, others) =>
      inWorkspace(parts, workspace, async () => {
        const record = bin.find(workspace, 'snapshot', id)
        if (record === undefined) return err(notInBin('snapshot', id))
        if (!(await insertWith(others, workspace, record))) return err(cannotReturn('snapshot', id))
        bin.take(workspace, 'snapshot', id)
        const { content: _, ...info } = record
        recordSetting(parts, workspace, { subject: 'snapshot', change: 'created', id, detail: { name: info.name } })
        return ok(info)
      }),
  }
}
