import { join } from 'node:path'
import { ROOT } from '../imports.ts'
import { type Begun, begin } from '../spawn-tied.ts'

type ChildOptions = {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Of the program. */
  readonly root?: string
}

/** A process of ours that is killed and started again, always with the same arguments. */
export const createChild = (name: string, { args, env = {}, root = ROOT }: ChildOptions) => {
  let begun: Begun | undefined
  let first: Readonly<Record<string, string>> = {}
  return {
    name,
    /** The first line of its last start. */
    ready: () => first,
    stderr: () => begun?.stderr() ?? '',
    start: async (): Promise<void> => {
      const command = [process.execPath, join(root, 'src-main/cli.ts'), 'serve', '--json', ...args]
      begun = begin(command, { env: { ...process.env, ...env } })
      first = await begun.ready
    },
    kill: async () => begun?.kill(),
    stop: async () => begun?.stop() ?? null,
  }
}

export type Child = ReturnType<typeof createChild>
