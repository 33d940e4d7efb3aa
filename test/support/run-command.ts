import type { Environment } from '../../src-main/cli/command.ts'
import { main } from '../../src-main/cli/main.ts'
import { heardTerminal } from './heard-terminal.ts'

type Door = { readonly controlUrl: string; readonly token: string }

/** What `handset …` says, and its exit code; with a bench, towards that one. `hears` is told what progress is shown. */
export const runCommand = async (
  args: readonly string[],
  bench?: Door,
  { hears, ...more }: Partial<Environment> & { readonly hears?: ((text: string) => void) | undefined } = {},
) => {
  const { terminal, out, errors } = heardTerminal()
  const door = bench === undefined ? [] : ['--control-url', bench.controlUrl]
  const code = await main([...args, ...door], {
    terminal: hears === undefined ? terminal : { ...terminal, status: hears },
    ...{ version: '0', root: '/nowhere', platform: 'linux', stop: new AbortController().signal },
    env: bench === undefined ? {} : { HANDSET_TOKEN: bench.token },
    ...more,
  })
  return { code, out: out.join('\n'), errors }
}
