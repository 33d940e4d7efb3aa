import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes that something still holds. What the process has of the system depends on when garbage was collected last. */
export const heldMemory = (): number => {
  // Buffers that one collection finds are given back by the time of the next.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
