import { connected } from '../robustness/wire.ts'

/**
 * Sends ready-made requests in turn on several connections, one at a time on each, and counts whole answers. The bytes
 * are the same for every server, so that what differs is the server alone.
 */
export const load = async (options: {
  readonly port: number
  readonly requests: readonly Buffer[]
  readonly connections: number
  readonly seconds: number
  /** How long each answer took, in milliseconds. */
  readonly heard?: (ms: number) => void
}) => {
  const { port, connections, seconds } = options
  let sent = 0
  const next = (): Buffer => options.requests[sent++ % options.requests.length] ?? Buffer.alloc(0)
  const began = performance.now()
  const end = began + seconds * 1000
  let requests = 0
  const drive = async (): Promise<void> => {
    const socket = await connected(port)
    await new Promise<void>((resolve, reject) => {
      let rest: Buffer = Buffer.alloc(0)
      let asked = performance.now()
      socket.on('error', reject)
      socket.on('data', (part) => {
        rest = rest.length === 0 ? part : Buffer.concat([rest, part])
        const length = answerLength(rest)
        if (length === undefined || rest.length < length) return
        if (rest.subarray(9, 12).toString('latin1') !== '200') {
          return reject(new Error(rest.subarray(0, length).toString('utf8')))
        }
        rest = rest.subarray(length)
        requests++
        options.heard?.(performance.now() - asked)
        if (performance.now() >= end) {
          socket.destroy()
          return resolve()
        }
        asked = performance.now()
        socket.write(next())
      })
      socket.write(next())
    })
  }
  await Promise.all(Array.from({ length: connections }, drive))
  const took = (performance.now() - began) / 1000
  return { perSecond: requests / took }
}

/** Of the first answer in the buffer, once its head is there. */
const answerLength = (buffer: Buffer): number | undefined => {
  const head = buffer.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const match = /\r\ncontent-length: *(\d+)/i.exec(buffer.subarray(0, head).toString('latin1'))
  if (match === null) throw new Error('an answer without Content-Length')
  return head + 4 + Number(match[1])
}
