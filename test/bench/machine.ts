import { existsSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** On what something was measured, and how. */
export const machineLine = (): string => {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`
  const program = existsSync(join(root, 'out/main/cli.js')) ? 'built' : 'from source'
  return `${machine}, Node ${process.versions.node}, ${program}. All on loopback. Sides are measured in turn, ratios within a round; intervals are of the median, 95 %.`
}
