import { err, ok, type Result } from '../core/protocol/result.ts'
import { createControlClient } from '../sdk/client.ts'
import { defaultDataDirectory, fail, makeCommand, misuse } from './command.ts'
import { ANSWER_TIMEOUT_MS, benchProblem, type FoundBench, findBenchOrDefault } from './find-bench.ts'
import { openBrowser } from './open-browser.ts'

export const open = makeCommand(
  {
    name: 'open',
    usage: '[OPTIONS]',
    more: ['The address that it prints is good once. Without a display it only prints it.'],
  },
  async ({ options, named }, environment) => {
    const found = findBenchOrDefault(options, environment, named)
    if (!found.ok) return (found.error.misused ? misuse : fail)(environment, 'open', found.error.problem)
    const { workspace = found.value.workspace } = options
    const invited = await invite({ ...found.value, workspace }, environment.stop)
    if (!invited.ok) return fail(environment, 'open', invited.error)
    const { terminal } = environment
    const folder = found.value.directory ?? defaultDataDirectory(environment)
    if (options.print !== true && openBrowser(invited.value, { folder, environment })) {
      terminal.out('Opening the page in the default browser.')
    } else terminal.out(invited.value)
    return 0
  },
)

const invite = async ({ workspace, ...door }: FoundBench, stop: AbortSignal): Promise<Result<string, string>> => {
  const { controlUrl } = door
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)])
  try {
    const client = createControlClient(door)
    const { url } = await client.call('session.invite', { body: { workspace }, signal })
    // The server may not be a bench, so a browser gets only http(s) addresses.
    return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
      ? ok(new URL(url).href)
      : err(`what answers at ${controlUrl} is no bench.`)
  } catch (reason) {
    return err(benchProblem(reason, { controlUrl, stop, late: signal }))
  }
}
