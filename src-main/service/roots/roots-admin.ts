import { X509Certificate } from 'node:crypto'
import type { RootState } from '../../core/contract/control/states.ts'
import { notFound, refuse } from '../../core/contract/errors.ts'
import { makeId } from '../../core/protocol/ids.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { type Admin, cannotReturn, inWorkspace, notInBin, type Parts, recordSetting } from '../admin/admin.ts'
import type { RootRecord } from '../store/store.ts'
import { parseCertificate } from '../workspaces/row-rules.ts'

export const rootsOf = (parts: Parts): Admin['roots'] => {
  const { store, random, clock, bin } = parts.services
  return {
    list: (workspace) =>
      inWorkspace(parts, workspace, async () => ok((await store.roots.list(workspace)).map(rootInfo))),

    add: (workspace, input) =>
      inWorkspace(parts, workspace, async () => {
        const certificate = parseCertificate(input.certificate)
        if (!certificate.ok) return certificate
        const id = input.id ?? makeId('root', random.stream(workspace, 'roots', 'root id'))
        const record: RootRecord = {
          id,
          name: input.name,
          certificate: certificate.value.raw.toString('base64'),
          created_at: clock(workspace).now(),
        }
        if (!(await store.roots.insert(workspace, record))) return err(refuse('already_exists'))
        recordSetting(parts, workspace, { subject: 'root', change: 'added', id, detail: { name: input.name } })
        return ok(rootInfo(record))
      }),

    delete: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        const record = (await store.roots.list(workspace)).find((root) => root.id === id)
        if (record === undefined || !(await store.roots.delete(workspace, id))) return err(notFound('root', id))
        bin.put(workspace, 'root', record)
        recordSetting(parts, workspace, { subject: 'root', change: 'deleted', id })
        return ok(null)
      }),

    undelete: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        const record = bin.take(workspace, 'root', id)
        if (record === undefined) return err(notInBin('root', id))
        if (!(await store.roots.insert(workspace, record))) return err(cannotReturn('root', id))
        recordSetting(parts, workspace, { subject: 'root', change: 'added', id, detail: { name: record.name } })
        return ok(rootInfo(record))
      }),
  }
}

const rootInfo = (record: RootRecord): RootState => {
  const { subject, validFrom, validTo } = new X509Certificate(Buffer.from(record.certificate, 'base64'))
  return { ...record, subject, not_before: Date.parse(validFrom), not_after: Date.parse(validTo) }
}
