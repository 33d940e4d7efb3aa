import type { Bench } from '../../bench/bench-settings.ts'
import type { ControlAnswer } from '../../sdk/client.ts'

/** `fetch` for the control interface of a bench in this process. A stream needs a socket: it is not for here. */
export const directFetch =
  ({ callControl }: Pick<Bench, 'callControl'>, stop: AbortSignal) =>
  async (url: string, { method = 'GET', headers = {}, body, signal }: RequestInit): Promise<ControlAnswer> => {
    const gone = signal ? AbortSignal.any([signal, stop]) : stop
    gone.throwIfAborted()
    const given = headers as Readonly<Record<string, string>>
    const text = typeof body === 'string' ? body : undefined
    const {
      status,
      headers: answered,
      body: answer,
    } = await unlessAborted(callControl({ url, method, headers: given, body: text, gone }), gone)
    return {
      status,
      ok: status < 300,
      headers: { get: (name) => answered.find(([known]) => known === name)?.[1] ?? null },
      body: null,
      text: async () => (typeof answer === 'string' ? answer : new TextDecoder().decode(answer)),
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
