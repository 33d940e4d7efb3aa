import { connect } from 'node:net'
import { takeAnswer, type WireAnswer } from './wire.ts'

export type Heard = { readonly answers: readonly WireAnswer[]; readonly ended: 'ended' | 'open' }

export type Listening = {
  /** How many answers are awaited. */
  readonly answers?: number
  /** The connection is half closed after the octets. */
  readonly end?: boolean
  /** It is cut after them. */
  readonly cut?: boolean
}

/** Only reached when something is wrong. */
const PATIENCE_MS = 30_000

/**
 * Octets onto a socket of their own, and the whole answers that come back, until the other side ends the connection or
 * has given as many answers as are awaited without announcing its end.
 */
export const listenOn = (
  port: number,
  octets: Uint8Array,
  { answers: awaited = 1, end = false, cut = false }: Listening = {},
): Promise<Heard> =>
  new Promise((resolve) => {
    const answers: WireAnswer[] = []
    let rest: Buffer = Buffer.alloc(0)
    const socket = connect({ host: '127.0.0.1', port })
    const done = (ended: Heard['ended']): void => {
      socket.destroy()
      resolve({ answers, ended })
    }
    socket.setTimeout(PATIENCE_MS, () => done('open'))
    socket.on('error', () => undefined)
    socket.on('close', () => done('ended'))
    socket.on('data', (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (let taken = takeAnswer(rest); taken !== undefined; taken = takeAnswer(rest)) {
        answers.push(taken.answer)
        rest = taken.rest
      }
      if (answers.length >= awaited && answers.at(-1)?.headers.connection !== 'close') done('open')
    })
    if (end) socket.end(octets)
    else socket.write(octets, () => cut && socket.destroy())
  })
