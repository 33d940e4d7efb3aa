import type { Environment } from '../../src-main/cli/command.ts'
import { main } from '../../src-main/cli/main.ts'
import { heardTerminal } from './heard-terminal.ts'

type Door = { readonly controlUrl: string; readonly token: string }

type More = Partial<Environment> & { readonly hears?: ((text: string) => void) | undefined }

/** `handset …` as it runs: what it has said so far; with a bench, towards that one. `hears` is told what progress is shown. */
export const beginCommand = (args: readonly string[], bench?: Door, { hears, ...more }: More = {}) => {
  const { terminal, out, errors } = heardTerminal()
  const door = bench === undefined ? [] : ['--control-url', bench.controlUrl]
  const ended = main([...args, ...door], {
    terminal: hears === undefined ? terminal : { ...terminal, status: hears },
    ...{ version: '0', root: '/nowhere', platform: 'linux', stop: new AbortController().signal },
    env: bench === undefined ? {} : { HANDSET_TOKEN: bench.token },
    ...more,
  })
  return { ended, out, errors }
}

/** What it said in the end, and its exit code. */
export const runCommand = async (...asked: Parameters<typeof beginCommand>) => {
  const { ended, out, errors } = beginCommand(...asked)
  return { code: await ended, out: out.join('\n'), errors }
}
