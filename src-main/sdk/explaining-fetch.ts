import { sdkError } from './errors.ts'

/** The same, whose failures say which bench did not answer and what to do. */
export const explainingFetch =
  (controlUrl: string, request: typeof fetch): typeof fetch =>
  async (input, init) => {
    const explained = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => explain(controlUrl, error))
    const answer = await explained(request(input, init))
    // An answer may break off while it is read.
    const text = answer.text.bind(answer)
    return Object.defineProperty(answer, 'text', { value: () => explained(text()) })
  }

/** The owner of the signal reports what it aborted. */
const explain = (controlUrl: string, error: unknown): never => {
  if (!(error instanceof Error) || error.name === 'AbortError' || error.name === 'TimeoutError') throw error
  const cause = error.cause instanceof Error ? error.cause.message : error.message
  const advice = 'Start one with "handset serve", or check the address.'
  throw sdkError('unreachable', `No bench answers at ${controlUrl}: ${cause}. ${advice}`)
}
