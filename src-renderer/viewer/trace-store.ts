import { err, ok } from '../../src-main/protocol/result.ts'
import { type ControlClient, ControlError } from '../../src-main/sdk/client.ts'
import type { Trace } from '../../src-main/trace/trace.ts'
import { type Api, problemOf } from '../api.ts'
import { foldBench, newBench } from '../bench/bench-state.ts'
import type { BenchStore } from '../bench/bench-store.ts'
import type { BenchTools } from '../bench/use-bench.ts'

/** The bench of a trace: everything has happened, and nothing can be done. */
export const openTraceBench = ({ events, signatures, header }: Trace): BenchTools => {
  const bySeq = new Map(events.map((event) => [event.seq, event]))
  const state = events.reduce((before, event) => foldBench(before, event, header.saved), newBench())
  const shown = { ...state, connection: 'live', recorded: true } as const
  const store: BenchStore = {
    subscribe: () => () => undefined,
    getState: () => shown,
    lookUp: (seq) => bySeq.get(seq),
    want: () => undefined,
    start: () => () => undefined,
    retryNow: () => undefined,
  }
  return { api: apiOf(signatures), store }
}

/** Answers what the trace knows, and refuses all else as a bench that is gone does. */
const apiOf = (signatures: Trace['signatures']): Api => {
  const client = {
    call: async (id: string, inputs: { readonly params?: { readonly seq?: string } } = {}) => {
      const found = signatures.find(({ seq }) => id === 'events.signature' && String(seq) === inputs.params?.seq)
      if (found !== undefined) return found.explanation
      throw new ControlError({ code: 0, error: 'The workspace was closed.', data: null })
    },
  } as unknown as ControlClient
  const api: Api = {
    call: (ask) => ask(client).then(ok, (error: unknown) => err(problemOf(error))),
    events: async function* () {},
    workspace: () => api,
  }
  return api
}
