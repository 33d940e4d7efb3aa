import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Body } from '../../src-main/sdk/client.ts'
import { connectHandset, type Handset, type Workspace } from '../../src-main/sdk/index.ts'
import { startTestBench, type TestBench } from './bench.ts'

/** A bench for all tests of a file. */
export const benchOfFile = (options: Parameters<typeof startTestBench>[0] = {}): TestBench => {
  const bench = {} as TestBench
  beforeAll(async () => void Object.assign(bench, await startTestBench(options)))
  afterAll(() => bench.close())
  return bench
}

/** A bench for the tests of a file: each opens a workspace of its own, which is closed after it. */
export const openWorkspaces = () => {
  const shared = {} as { bench: TestBench; handset: Handset }
  beforeAll(async () => {
    shared.bench = await startTestBench()
    shared.handset = await connectHandset(shared.bench.bench)
  })
  afterAll(() => shared.bench.close())
  const open = async (body: Body<'workspaces.create'> = {}): Promise<Workspace> => {
    const workspace = await shared.handset.workspace(body)
    onTestFinished(() => workspace.close())
    return workspace
  }
  return { shared, open }
}
