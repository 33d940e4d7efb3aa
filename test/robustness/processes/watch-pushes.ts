import { setTimeout as pause } from 'node:timers/promises'
import { realClock } from '../../../src-main/harness/clock.ts'
import { msgIdOf, rpClient } from '../../support/service/rp-client.ts'
import { softPhone } from '../../support/service/soft-phone.ts'
import type { Site } from '../callers.ts'

const EVERY_MS = 50
const PATIENCE_MS = 20_000

/** A phone whose inbox is opened again whenever it ends, from where it ended, and an RP that pushes to it. */
export const watchPushes = async ({ port, key }: Site) => {
  const running = { port, prefix: '/fido', wall: realClock }
  const rp = rpClient(running, { key: { id: key.accessKeyId, secret: key.secretKey }, workspace: 'main' })
  const phone = await softPhone(running, { account: { name: 'Watcher', phone: '13900000001' } })
  await phone.register(msgIdOf(await rp.register('watched')))
  const sent = new Set<string>()
  const came: string[] = []
  let closed = false
  let last: string | undefined
  let stop = (): void => undefined

  const listen = async (): Promise<void> => {
    while (!closed) {
      const inbox = await phone.inbox(last).catch(() => undefined)
      if (inbox?.status === 200) {
        stop = inbox.close
        let open = true
        void inbox.ended.then(() => {
          open = false
        })
        while (open && !closed) {
          const event = await Promise.race([inbox.next(), inbox.ended])
          if (event === undefined) break
          last = event.id
          came.push(String(event.data.msg_id))
        }
      }
      inbox?.close()
      await pause(EVERY_MS)
    }
  }
  void listen()

  return {
    send: async (isOver: () => boolean): Promise<void> => {
      while (!isOver()) {
        const answer = await rp.authenticate('watched', 'push').catch(() => undefined)
        if (answer?.json?.code === 0) sent.add(msgIdOf(answer))
        await pause(EVERY_MS)
      }
    },
    acknowledged: () => sent.size,
    /** Once all had time to come. */
    problems: async (): Promise<readonly string[]> => {
      const missing = () => [...sent].filter((id) => !came.includes(id))
      for (const until = performance.now() + PATIENCE_MS; missing().length > 0 && performance.now() < until; ) {
        await pause(EVERY_MS)
      }
      const twice = came.filter((id, n) => came.indexOf(id) !== n)
      return [
        ...missing().map((id) => `push of ${id} was acknowledged and never came`),
        ...twice.map((id) => `push of ${id} came twice`),
      ]
    },
    close: (): void => {
      closed = true
      stop()
    },
  }
}
