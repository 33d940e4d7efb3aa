import type { Mount } from '../http/message.ts'

const ALIVE = [
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Cache-Control', 'no-store'],
] as const

/** For those who start and stop containers: answers as long as requests are answered, to anybody, and tells nothing else. */
export const createHealth = (): Mount => ({
  prefix: '/healthz',
  bodyLimit: () => 0,
  answer: async () => ({ status: 200, headers: ALIVE, body: 'ok\n' }),
})
