import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { msgIdOf } from '../../robustness/callers.ts'
import type { Person } from '../people.ts'
import type { StoreSide } from './sides.ts'

/** A steady stream: each person gets the next push so long after the one before. */
const EVERY_MS = 100

/**
 * Milliseconds from the RP's request, at one process, to the push in the phone's open inbox, at the next: never
 * less than it took, since the request's own way to the service is in it.
 */
export const measurePushes = async ({ people }: StoreSide, each: number): Promise<readonly number[]> =>
  (
    await Promise.all(
      people.map(async (person, n) => {
        const inbox = await openInbox(person)
        try {
          const took: number[] = []
          // They come spread over the time, not all in one instant.
          await pause((n * EVERY_MS) / people.length)
          for (let push = 0; push < each; push++) {
            took.push(await pushOnce(person, inbox))
            await pause(EVERY_MS)
          }
          return took
        } finally {
          inbox.close()
        }
      }),
    )
  ).flat()

const pushOnce = async ({ rp, app, token, callers, appCallers, user_id }: Person, inbox: Inbox): Promise<number> => {
  const arrived = inbox.next()
  const body = { user_id, username: user_id, method: 'push' }
  const from = performance.now()
  const asked = await rp.ask(callers.rp('POST', '/rp/assertion/options', body))
  const at = await arrived
  // Nothing is left open for the next one.
  await app.ask(appCallers.app(token, 'POST', `/messages/${msgIdOf(asked)}/bind`, {}))
  await app.ask(appCallers.app(token, 'POST', `/messages/${msgIdOf(asked)}/reject`, {}))
  return at - from
}

type Inbox = {
  /** When the next push is there. */
  next(): Promise<number>
  close(): void
}

const openInbox = async ({ appPort, token }: Person): Promise<Inbox> => {
  const headers = { host: `localhost:${appPort}`, authorization: `Bearer ${token}` }
  const request = get({ port: appPort, host: '127.0.0.1', path: '/app/inbox', headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`the inbox answered ${response.statusCode}`)
  let heard = (_at: number): void => {}
  response.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('data:')) heard(performance.now())
  })
  response.on('error', () => undefined)
  return {
    next: () =>
      new Promise((resolve) => {
        heard = resolve
      }),
    close: () => request.destroy(),
  }
}
