import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { spawnTied } from '../spawn-tied.ts'
import { answers } from './start-haproxy.ts'
import { otherUser } from './start-postgres.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

export const noPgbouncer = !existsSync(PROGRAM)

/** A pooler that gives each transaction whatever connection is free. */
export const startPgbouncer = async (serverPort: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-pgbouncer-'))
  const user = otherUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const port = await freePort()
  const [users, config] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]
  writeFileSync(users, '"handset" ""\n')
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 8
max_client_conn = 200
`,
  )
  const pooler = spawnTied(PROGRAM, ['-q', config], { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'ignore'] })
  while (pooler.exitCode === null && !(await answers(port))) await pause(10)
  // It has read what it needs.
  rmSync(folder, { recursive: true })
  if (pooler.exitCode !== null) throw new Error(`pgbouncer ended with ${pooler.exitCode}`)
  return {
    port,
    pid: pooler.pid,
    /** It ends with this process, which does not wait for it. */
    leave: () => pooler.unref(),
    stop: () =>
      new Promise<void>((resolve) => {
        pooler.once('exit', () => resolve())
        pooler.kill('SIGQUIT')
      }),
  }
}
