import { join } from 'node:path'
import { startBench } from '../../bench.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { type ControlClient, createControlClient } from '../../sdk/client.ts'
import { benchProblem, type FoundBench, PATIENCE_MS } from '../find-bench.ts'
import { terminalLog } from '../log.ts'
import type { Terminal } from '../terminal.ts'

export type OpenBench = { readonly client: ControlClient; readonly close: () => Promise<void> }

export type OwnBench = {
  readonly port: number
  readonly version: string
  readonly root: string
  readonly terminal: Terminal
  /** What a step waits for ends with it. */
  readonly stop: AbortSignal
}

/** A bench of the run's own, in memory. */
export const openOwnBench = async ({
  port,
  version,
  root,
  terminal,
  stop,
}: OwnBench): Promise<Result<OpenBench, string>> => {
  const bench = await startBench({
    port,
    hosts: [],
    prefix: '/fido',
    seedData: { rps: [], phones: [] },
    version,
    pageFolder: join(root, 'out/renderer'),
    log: terminalLog(terminal, false),
  })
  return bench.ok ? ok({ client: clientOf(bench.value, stop), close: bench.value.close }) : bench
}

/** A bench that runs already, and goes on afterwards. */
export const attachToBench = async (found: FoundBench, stop: AbortSignal): Promise<Result<OpenBench, string>> => {
  const { controlUrl } = found
  const late = AbortSignal.timeout(PATIENCE_MS)
  const client = clientOf(found, stop)
  try {
    await client.call('workspaces.list', { signal: AbortSignal.any([stop, late]) })
    return ok({ client, close: async () => undefined })
  } catch (reason) {
    return err(benchProblem(reason, { controlUrl, stop, late }))
  }
}

type Door = Pick<FoundBench, 'controlUrl' | 'token' | 'fetch'>

const clientOf = ({ controlUrl, token, fetch: ask = fetch }: Door, stop: AbortSignal): ControlClient =>
  createControlClient({
    controlUrl,
    token,
    fetch: (url, init) => ask(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, stop]) : stop }),
  })
