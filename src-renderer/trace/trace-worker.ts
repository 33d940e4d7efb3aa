import { createTraceSource } from '../viewer/trace-source.ts'

export type WorkerRequest = { readonly id: number } & (
  | { readonly call: 'open'; readonly argument: Blob }
  | { readonly call: 'read' | 'lookUp'; readonly argument: number }
)

/** Passing JSON text between threads costs less than passing the objects. */
export type Answer = { readonly id: number; readonly json: string | undefined }

const source = createTraceSource()

const answer = (question: WorkerRequest): Promise<unknown> =>
  question.call === 'open' ? source.open(question.argument) : source[question.call](question.argument)

addEventListener('message', async ({ data }: MessageEvent<WorkerRequest>) => {
  const json = JSON.stringify(await answer(data)) as string | undefined
  postMessage({ id: data.id, json } satisfies Answer)
})
