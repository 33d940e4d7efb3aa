import { main } from '../../src-main/cli/main.ts'
import { heardTerminal } from './heard-terminal.ts'

type Door = { readonly controlUrl: string; readonly token: string }

/** What `handset …` says, and its exit code; with a bench, towards that one. */
export const runCommand = async (args: readonly string[], bench?: Door, root = '/nowhere') => {
  const { terminal, out, errors } = heardTerminal()
  const door = bench === undefined ? [] : ['--control-url', bench.controlUrl]
  const env = bench === undefined ? {} : { HANDSET_TOKEN: bench.token }
  const stop = new AbortController().signal
  const environment = { terminal, version: '0', root, env, platform: 'linux' as const, stop }
  return { code: await main([...args, ...door], environment), out: out.join('\n'), errors }
}
