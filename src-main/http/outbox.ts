/** Sends later, in the same turn of the event loop. */
export type Outbox = (send: () => void) => void

/**
 * The answers of one turn of the event loop go out one after the other when all of its requests are worked on: clients
 * that sleep are woken in one go, which costs the system more than many a request costs us.
 */
export const createOutbox = (): Outbox => {
  let waiting: (() => void)[] = []
  const flush = (): void => {
    const sends = waiting
    waiting = []
    for (const send of sends) send()
  }
  return (send) => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push(send)
  }
}
