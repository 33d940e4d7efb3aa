import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { spawnTied } from '../spawn-tied.ts'

const PROGRAM = '/usr/sbin/haproxy'

export const noHaproxy = !existsSync(PROGRAM)

/** A balancer that gives each request, or each connection whatever its octets are, to the next process. */
export const nextInTurn =
  (ports: readonly number[], mode: 'http' | 'tcp' = 'http') =>
  (own: number): string =>
    `defaults
  mode ${mode}
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  option redispatch
frontend all
  bind 127.0.0.1:${own}
  default_backend service
backend service
  balance roundrobin
${mode === 'http' ? '  http-reuse always\n' : ''}${ports.map((each, n) => `  server s${n} 127.0.0.1:${each}`).join('\n')}
`

/** With a configuration of its own, or so that each request goes to another one of these ports. */
export const startHaproxy = async (how: readonly number[] | ((own: number) => string)) => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-haproxy-'))
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const configOf = typeof how === 'function' ? how : nextInTurn(how)
  writeFileSync(file, configOf(port))
  return startListener([PROGRAM, '-f', file, '-db', '-q'], { folder, port, signal: 'SIGTERM' })
}

type Listener = {
  /** Removed when the program has read it. */
  readonly folder: string
  readonly port: number
  readonly signal: NodeJS.Signals
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

/** A program that is there when its port answers. */
export const startListener = async (
  [name = '', ...args]: readonly string[],
  { folder, port, signal, user }: Listener,
) => {
  const program = spawnTied(name, args, { ...user, cwd: '/', stdio: ['ignore', 'inherit', 'inherit'] })
  while (program.exitCode === null && !(await answers(port))) await pause(10)
  rmSync(folder, { recursive: true })
  if (program.exitCode !== null) throw new Error(`${name} ended with ${program.exitCode}`)
  return {
    port,
    /** It ends with this process, which does not wait for it. */
    leave: () => program.unref(),
    stop: () =>
      new Promise<void>((resolve) => {
        program.once('close', () => resolve())
        program.kill(signal)
      }),
  }
}

export const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
