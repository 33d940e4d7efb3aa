import { connect } from 'node:net'
import { takeAnswer, type WireAnswer } from './wire.ts'

export type Heard = { readonly answers: readonly WireAnswer[]; readonly ended: 'ended' | 'open' }

/**
 * Octets onto a socket of their own, and whole answers that come back. Done when the other side ends it, when each
 * request that was sent whole has its answer, or after a silence.
 */
export const listenOn = (
  port: number,
  octets: Uint8Array,
  {
    end = false,
    cut = false,
    idleMs = 400,
  }: { readonly end?: boolean; readonly cut?: boolean; readonly idleMs?: number } = {},
): Promise<Heard> =>
  new Promise((resolve) => {
    const heard: Buffer[] = []
    const socket = connect({ host: '127.0.0.1', port })
    const done = (ended: Heard['ended']): void => {
      socket.destroy()
      resolve({ answers: answersIn(Buffer.concat(heard)), ended })
    }
    socket.on('error', () => undefined)
    socket.on('close', () => done('ended'))
    socket.on('data', (chunk) => {
      heard.push(chunk)
      // Silence counts from the last word on.
      socket.setTimeout(idleMs, () => done('open'))
    })
    if (end) socket.end(octets)
    else socket.write(octets, () => cut && socket.destroy())
  })

const answersIn = (heard: Buffer): readonly WireAnswer[] => {
  const answers: WireAnswer[] = []
  for (let rest = heard; ; ) {
    const taken = takeAnswer(rest)
    if (taken === undefined) return answers
    answers.push(taken.answer)
    rest = taken.rest
  }
}
