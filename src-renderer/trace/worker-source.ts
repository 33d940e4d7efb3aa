import type { TraceSource } from '../viewer/trace-source.ts'
import type { Answer, WorkerRequest } from './trace-worker.ts'

/** Reads a trace in a worker, so that the page does not freeze. */
export const createWorkerSource = (): TraceSource => {
  const worker = new Worker(new URL('./trace-worker.ts', import.meta.url), { type: 'module', name: 'trace' })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let asked = 0
  worker.addEventListener('message', ({ data: { id, json } }: MessageEvent<Answer>) => {
    waiting.get(id)?.resolve(json === undefined ? undefined : JSON.parse(json))
    waiting.delete(id)
  })
  worker.addEventListener('error', (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message))
    waiting.clear()
  })
  const ask = <T>(question: Omit<WorkerRequest, 'id'>): Promise<T> => {
    asked += 1
    const answer = Promise.withResolvers<unknown>()
    waiting.set(asked, answer)
    worker.postMessage({ id: asked, ...question })
    return answer.promise as Promise<T>
  }
  return {
    open: (file) => ask({ call: 'open', argument: file }),
    read: (part) => ask({ call: 'read', argument: part }),
    lookUp: (seq) => ask({ call: 'lookUp', argument: seq }),
    close: () => worker.terminate(),
  }
}
