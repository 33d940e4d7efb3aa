import { type Bench, startBench } from '../bench/assembly/bench.ts'
import type { BenchSettings } from '../bench/assembly/bench-settings.ts'
import { builtPageFolder } from '../bench/control/page.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { QUIET_LOG, terminalLog } from './log.ts'
import { startProblemText } from './problem-texts.ts'
import type { Terminal } from './terminal.ts'

export type BenchKeeper = { readonly version: string; readonly root: string; readonly terminal: Terminal }

export const startOwnBench = async (
  { version, root, terminal }: BenchKeeper,
  { port = 0, seedData }: Partial<Pick<BenchSettings, 'port'>> & Pick<BenchSettings, 'seedData'>,
): Promise<Result<Bench, string>> => {
  const bench = await startBench({
    ...{ port, hosts: [], prefix: '/fido', seedData, version },
    pageFolder: builtPageFolder(root),
    log: terminalLog(terminal, QUIET_LOG),
  })
  return bench.ok ? ok(bench.value) : err(startProblemText(bench.error))
}
