import type { RequestContext, Services } from '../services.ts'
import { inboxMessage, markSent, pushEvent } from './deliver-pushes.ts'
import type { InboxStream } from './inboxes.ts'

/** The number of the last push that a stream brought. */
export type Position = { n: number }

type Context = Pick<RequestContext, 'workspace' | 'clock'> & {
  readonly services: Pick<Services, 'store' | 'addresses' | 'observe'>
}

/** Sends what is open and came after the position, which goes on with each push: none is sent again after a failure. */
export const sendMissed = async (
  context: Context,
  device: string,
  { stream, position }: { readonly stream: Pick<InboxStream, 'send'>; readonly position: Position },
): Promise<void> => {
  const { services, workspace, clock } = context
  for (const push of await services.store.pushes.open(workspace, { device, after: position.n, now: clock.now() })) {
    const message = await services.store.messages.get(workspace, push.msg_id)
    const rp = message && (await services.store.rps.get(workspace, message.rp))
    if (message === undefined || rp === undefined) continue
    stream.send(pushEvent(push, inboxMessage(services.addresses.baseUrl(workspace), message, rp)))
    position.n = push.n
    await markSent(context, push)
  }
}
