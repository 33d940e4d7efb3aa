import type { Mount } from '../../http/message.ts'

const PLAIN = [
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Cache-Control', 'no-store'],
] as const

/** For those who start and stop containers: answers as long as requests are answered, to anybody, and tells nothing else. */
export const createHealth = (): Mount => ({
  prefix: '/healthz',
  ofProcess: true,
  bodyLimit: () => 0,
  answer: async () => ({ status: 200, headers: PLAIN, body: 'ok\n' }),
})

/** For balancers: whether requests can be carried out. `check` rejects while the store does not answer, and when this process is about to end. */
export const createReadiness = (check: () => Promise<void> = async () => undefined): Mount => ({
  prefix: '/readyz',
  ofProcess: true,
  bodyLimit: () => 0,
  answer: () =>
    check().then(
      () => ({ status: 200, headers: PLAIN, body: 'ready\n' }),
      () => ({ status: 503, headers: PLAIN, body: 'not ready\n' }),
    ),
})
