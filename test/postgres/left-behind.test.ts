import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { noPostgres } from '../support/postgres/postgres-url.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { noPgbouncer } from '../support/postgres/start-pgbouncer.ts'

const STARTER = join(import.meta.dirname, '../support/postgres/killed-starter.ts')

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.skipIf(noPostgres || noHaproxy || noPgbouncer || process.platform !== 'linux')(
  'a balancer, a pooler and a database end with the process of the tests, also with one that was killed',
  async () => {
    const worker = spawn(process.execPath, [STARTER], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface(worker.stdout), 'line')
    const { folder, pids }: { folder: string; pids: readonly number[] } = JSON.parse(String(line))
    expect(pids.map(isThere)).toEqual([true, true, true])
    worker.kill('SIGKILL')
    await expect.poll(() => pids.map(isThere)).toEqual([false, false, false])
    rmSync(folder, { recursive: true })
  },
)
