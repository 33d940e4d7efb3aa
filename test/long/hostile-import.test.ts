import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ControlClient, ControlError } from '../../src-main/sdk/client.ts'
import { REFERENCES } from '../../src-main/service/workspaces/row-rules.ts'
import { hostileDocuments } from '../robustness/attack/hostile-documents.ts'
import { ALICE, cast, register, startTestBench, type TestBench } from '../support/bench.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()
let running: TestBench
beforeAll(async () => {
  running = await startTestBench({ data: folder })
})
afterAll(() => running.close())

const restart = async (): Promise<void> => {
  await running.close()
  running = await startTestBench({ data: folder })
}

/** Something in every table, chip and vault. */
const furnish = async (client: ControlClient): Promise<void> => {
  await client.call('profile.patch', { body: { message_ttl_s: 3600 } })
  await client.call('clock.put', { body: { frozen: true } })
  const made = await cast(client, { storage: 'chip' })
  await register(client, made)
  const cloud = await client.call('phones.create', {
    body: { name: 'Cloud', model: 'cloud-pebble', storage: 'cloud', account: { name: 'Bo', phone: '13900001111' } },
  })
  await register(client, { rp: made.rp, phone: cloud.id })
  await client.call('simulator.sign-in', { params: { rp: made.rp }, body: { ...ALICE, method: 'push', poll: false } })
  // The makers' roots are made when they are asked for.
  await client.call('roots.list')
}

type Body = Readonly<Record<string, unknown>>

const tryImport = async (workspace: string, body: Body): Promise<ControlError | undefined> => {
  try {
    await running.client.workspace(workspace).call('workspace.import', { body })
    return undefined
  } catch (error) {
    if (error instanceof ControlError) return error
    throw error
  }
}

/** A new workspace that holds this document. */
const filled = async (document: Body): Promise<string> => {
  const { id } = await running.client.call('workspaces.create', { body: { rp: 'none' } })
  expect(await tryImport(id, document)).toBeUndefined()
  return id
}

/**
 * That field, or the one around it, or one within. Of a row: what it must fit in the same row, and where its id was
 * changed, the row that refers to it.
 */
const names = ({ data }: ControlError, path: string): boolean => {
  const { parameter } = data as { readonly parameter?: string }
  if (parameter === undefined) return false
  const row = /^service\.tables\.\w+\[\d+\]/.exec(path)?.[0]
  return (
    parameter.startsWith(path) ||
    path.startsWith(parameter) ||
    (row !== undefined && parameter.startsWith(row)) ||
    REFERENCES.some(
      ([table, column, target]) =>
        path === `service.tables.${target}[0].id` &&
        parameter.startsWith(`service.tables.${table}[`) &&
        parameter.endsWith(`].${column}`),
    )
  )
}

describe('[import.rules] a document with one change', () => {
  test('is refused with the field named, or survives restart, export and import', async () => {
    await furnish(running.client)
    const good = await running.client.call('workspace.export')
    for (const rows of Object.values((good.service as { tables: object }).tables)) expect(rows).not.toEqual([])
    const documents = hostileDocuments(good, 7)
    expect(documents.length).toBeGreaterThan(150)
    const wrong: string[] = []
    const accepted = new Map<string, string>()
    let target = await filled(good)
    for (const { what, path, document } of documents) {
      const refusal = await tryImport(target, document)
      if (refusal === undefined) {
        accepted.set(target, what)
        target = await filled(good)
      } else if (refusal.code < 40000 || refusal.code > 49999) wrong.push(`${what}: ${refusal.code} ${refusal.message}`)
      else if (!names(refusal, path)) wrong.push(`${what}: expected ${path}: ${refusal.message}`)
    }
    // All of the refused ones left the workspace as it was.
    expect((await running.client.workspace(target).call('credentials.list')).credentials).toHaveLength(2)
    await restart()
    const { workspaces } = await running.client.call('workspaces.list')
    expect(workspaces).toHaveLength(accepted.size + 2)
    for (const { id, problem } of workspaces) {
      const what = accepted.get(id) ?? id
      if (problem !== undefined) wrong.push(`${what}: was accepted and keeps its workspace closed: ${problem}`)
      else if (accepted.has(id)) {
        const again = await running.client.workspace(id).call('workspace.export')
        const back = await tryImport(id, again)
        if (back !== undefined) wrong.push(`${what}: was accepted, and its own export is not: ${back.message}`)
      }
    }
    expect(wrong).toEqual([])
    expect(accepted.size).toBeLessThan(documents.length / 2)
  })
})
