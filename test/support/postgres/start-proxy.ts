import { connect, createServer, type Socket } from 'node:net'

/**
 * `before`: the statement never reaches the database. `after`: it was carried out, and its answer is lost. `late`: the
 * connection is gone at once, and the statement reaches the database only when the test lets it.
 */
export type Cut = 'before' | 'after' | 'late'

type Armed = {
  readonly matches: (sql: string) => boolean
  readonly cut: Cut
  readonly done: (release: () => void) => void
}

/** Between the service and its database: cuts connections in chosen moments, delays notifications, or falls silent. */
export const startProxy = async (port: number) => {
  const sockets = new Set<Socket>()
  let armed: Armed | undefined
  let silent = false
  let muting: ((sql: string) => boolean) | undefined
  let notificationDelay = 0
  let slowness = 0
  const seen: string[] = []

  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.once('close', () => sockets.delete(socket))
    }
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())

    let asked = ''
    const named = new Map<string, string>()
    let held: Buffer[] = []
    let cutWhenDone: Armed | undefined
    const toFar = createFrames({ startup: true }, (type, frame) => {
      held.push(frame)
      if (type === 'P') {
        asked = textOf(frame, 2)
        named.set(textOf(frame, 1), asked)
      }
      // Of a statement that was prepared only its name comes again.
      if (type === 'B') asked = named.get(textOf(frame, 2)) ?? asked
      if (type === 'Q') asked = textOf(frame, 1)
      // What comes before a Sync is one request.
      if (type !== undefined && ['P', 'B', 'D', 'E', 'H', 'C'].includes(type)) return
      const whole = Buffer.concat(held)
      held = []
      if (type === 'Q' || type === 'S') seen.push(asked)
      if ((type === 'Q' || type === 'S') && muting?.(asked)) silent = true
      const cut = (type === 'Q' || type === 'S') && armed?.matches(asked) ? armed : undefined
      if (cut === undefined) return void (silent || far.write(whole))
      armed = undefined
      if (cut.cut === 'after') {
        cutWhenDone = cut
        far.write(whole)
        return
      }
      if (cut.cut === 'late') near.removeAllListeners('close')
      near.destroy()
      cut.done(() => void (cut.cut === 'late' ? far.end(whole) : undefined))
    })
    const toNear = createFrames({ startup: false }, (type, frame) => {
      if (cutWhenDone !== undefined) {
        if (type !== 'Z') return
        near.destroy()
        cutWhenDone.done(() => undefined)
        return
      }
      if (silent) return
      const delay = type === 'A' ? notificationDelay : slowness
      if (delay === 0) near.write(frame)
      else setTimeout(() => near.destroyed || near.write(frame), delay).unref()
    })
    near.on('data', toFar)
    far.on('data', toNear)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** What was asked through it, in its order. */
    seen: seen as readonly string[],
    /** The next statement that matches; resolves when it was cut, with what lets a late one go on. */
    cutAt: (matches: (sql: string) => boolean, cut: Cut): Promise<() => void> =>
      new Promise((done) => {
        armed = { matches, cut, done }
      }),
    /** From the next statement that matches on, which never reaches the database. */
    silentAt: (matches: (sql: string) => boolean): void => {
      muting = matches
    },
    /** Accepts and never answers. */
    fallSilent: (is: boolean): void => {
      silent = is
    },
    delayNotifications: (ms: number): void => {
      notificationDelay = ms
    },
    /** Each answer takes so much longer. */
    slowDown: (ms: number): void => {
      slowness = ms
    },
    stop: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const textOf = (frame: Buffer, part: 1 | 2): string =>
  frame.subarray(5).toString('utf8').split('\0')[part - 1]?.trim() ?? ''

/** PostgreSQL's messages: a letter, a length and a body; the client's first has no letter. */
const createFrames = (
  { startup }: { readonly startup: boolean },
  take: (type: string | undefined, frame: Buffer) => void,
): ((chunk: Buffer) => void) => {
  let rest = Buffer.alloc(0)
  let first = startup
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = first ? 0 : 1
      if (rest.length < head + 4) return
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return
      const type = first ? undefined : String.fromCharCode(rest[0] ?? 0)
      first = false
      const frame = rest.subarray(0, length)
      rest = rest.subarray(length)
      take(type, frame)
    }
  }
}

export type PostgresProxy = Awaited<ReturnType<typeof startProxy>>
