import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './start-postgres.ts'

const PROGRAM = '/usr/sbin/haproxy'

export const noHaproxy = !existsSync(PROGRAM)

/** A balancer that gives each request to the next process. */
export const startHaproxy = async (ports: readonly number[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-haproxy-'))
  const port = await freePort()
  const servers = ports.map((each, n) => `  server s${n} 127.0.0.1:${each}`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
frontend all
  bind 127.0.0.1:${port}
  default_backend service
backend service
  balance roundrobin
  http-reuse always
${servers.join('\n')}
`,
  )
  const proxy = spawn(PROGRAM, ['-f', file, '-db', '-q'], { stdio: ['ignore', 'inherit', 'inherit'] })
  while (proxy.exitCode === null && !(await answers(port))) await pause(10)
  if (proxy.exitCode !== null) throw new Error(`haproxy ended with ${proxy.exitCode}`)
  return {
    port,
    stop: () =>
      new Promise<void>((resolve) => {
        proxy.once('exit', () => {
          rmSync(folder, { recursive: true })
          resolve()
        })
        proxy.kill('SIGTERM')
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
