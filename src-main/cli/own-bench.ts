import { type Bench, type BenchSettings, startBench } from '../bench/assembly/bench.ts'
import { builtPageFolder } from '../bench/control/page.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { type ControlAnswer, createControlClient } from '../sdk/client.ts'
import { QUIET_LOG, terminalLog } from './log.ts'
import { startProblemText } from './problem-texts.ts'
import type { Terminal } from './terminal.ts'

type BenchKeeper = { readonly version: string; readonly root: string; readonly terminal: Terminal }

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

type OwnBench = BenchKeeper & { readonly port: number; readonly stop: AbortSignal }

export const openOwnBench = async ({ port, stop, ...keeper }: OwnBench) => {
  const bench = await startOwnBench(keeper, { port, seedData: { rps: [], phones: [] } })
  if (!bench.ok) return bench
  const { controlUrl, token, close } = bench.value
  return ok({ client: createControlClient({ controlUrl, token, fetch: directFetch(bench.value, stop) }), close })
}

/** `fetch` for a bench in this process. Streams need a socket and are not supported. */
const directFetch =
  ({ callControl }: Pick<Bench, 'callControl'>, stop: AbortSignal) =>
  async (url: string, { method = 'GET', headers = {}, body, signal }: RequestInit): Promise<ControlAnswer> => {
    const gone = signal ? AbortSignal.any([signal, stop]) : stop
    gone.throwIfAborted()
    const given = headers as Readonly<Record<string, string>>
    const text = typeof body === 'string' ? body : undefined
    const answer = await unlessAborted(callControl({ url, method, headers: given, body: text, gone }), gone)
    return {
      status: answer.status,
      ok: answer.status < 300,
      headers: { get: (name) => answer.headers.find(([known]) => known === name)?.[1] ?? null },
      body: null,
      text: async () => (typeof answer.body === 'string' ? answer.body : new TextDecoder().decode(answer.body)),
    }
  }

const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
