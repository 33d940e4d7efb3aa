import { startBench } from '../../bench.ts'
import { pageFolderOf } from '../../control/page.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { type ControlClient, createControlClient } from '../../sdk/client.ts'
import { QUIET, terminalLog } from '../log.ts'
import { startProblemText } from '../problem-texts.ts'
import type { Terminal } from '../terminal.ts'
import { directFetch } from './direct-fetch.ts'

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
    pageFolder: pageFolderOf(root),
    log: terminalLog(terminal, QUIET),
  })
  if (!bench.ok) return err(startProblemText(bench.error))
  const { controlUrl, token, close } = bench.value
  return ok({ client: createControlClient({ controlUrl, token, fetch: directFetch(bench.value, stop) }), close })
}
