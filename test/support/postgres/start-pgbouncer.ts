import { chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { startListener } from './start-haproxy.ts'
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
  return startListener([PROGRAM, '-q', config], { folder, port, signal: 'SIGQUIT', user })
}
