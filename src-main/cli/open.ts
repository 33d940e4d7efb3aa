import { defaultDataDirectory, makeCommand } from './command.ts'
import { fail } from './command-end.ts'
import { openBenchClient } from './find-bench.ts'
import { openBrowser } from './open-browser.ts'

export const open = makeCommand(
  {
    name: 'open',
    usage: '[OPTIONS]',
    more: ['The address that it prints is good once. Without a display it only prints it.'],
  },
  async ({ options, named }, environment) => {
    const bench = openBenchClient({ options, named }, environment)
    const { workspace = bench.workspace } = options
    const { url } = await bench.ask((client, signal) => client.call('session.invite', { body: { workspace }, signal }))
    // The server may not be a bench, so a browser gets only http(s) addresses.
    const address = URL.parse(url)
    if (address === null || !/^https?:$/.test(address.protocol))
      return fail(`what answers at ${bench.controlUrl} is no bench.`)
    const folder = bench.directory ?? defaultDataDirectory(environment)
    const { terminal } = environment
    if (options.print !== true && openBrowser(address.href, { folder, environment })) {
      terminal.out('Opening the page in the default browser.')
    } else terminal.out(address.href)
    return 0
  },
)
