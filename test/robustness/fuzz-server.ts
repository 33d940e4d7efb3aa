import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startBench } from '../../src-main/bench/assembly/bench.ts'
import { seedData } from './cast.ts'

/** A bench in a process of its own, which tells its parent how it is. */
export type FuzzServerMessage =
  | { readonly kind: 'ready'; readonly port: number; readonly token: string }
  | { readonly kind: 'state'; readonly heapBytes: number; readonly errors: readonly string[] }

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void
const tell = (message: FuzzServerMessage): void => void process.send?.(message)

const errors: string[] = []
const started = await startBench({
  port: 0,
  hosts: ['127.0.0.1'],
  prefix: '/fido',
  version: '0.0.0',
  // Any page: damage may turn an address into one of its own.
  pageFolder: join(import.meta.dirname, '../../src-renderer'),
  seedData,
  seed: 1,
  log: ({ level, ...rest }) => {
    if (level === 'error') errors.push(JSON.stringify(rest))
  },
})
if (!started.ok) throw new Error(started.error.code)

process.on('message', async () => {
  // In several turns: finalizers hold something, and so do sockets whose other end has only just gone.
  const sizes: number[] = []
  for (let turn = 0; turn < 10; turn++) {
    gc()
    sizes.push(process.memoryUsage().heapUsed)
    await setTimeout(20)
  }
  tell({ kind: 'state', heapBytes: Math.min(...sizes), errors: errors.splice(0) })
})
process.on('disconnect', () => process.exit(0))
tell({ kind: 'ready', port: started.value.port, token: started.value.token })
