import { Agent } from 'node:https'
import { resolve } from 'node:path'
import { err, ok, type Result } from '../protocol/result.ts'
import { ControlError, createControlClient } from '../sdk/client.ts'
import { fetchOver, fetchTrusting } from '../sdk/fetch-trusting.ts'
import { readRunningBench } from '../service/store/running-bench.ts'
import { pinTo } from '../tls/tls-identity.ts'
import { type Environment, failed, makeCommand, misuse } from './command.ts'
import { inFile } from './in-file.ts'
import { defaultDataDirectory } from './machine.ts'
import { openBrowser } from './open-browser.ts'
import { openOptions } from './option-tables.ts'
import type { ParsedOptions } from './options.ts'
import type { OptionName } from './read-options.ts'

export const open = makeCommand(
  {
    name: 'open',
    usage: '[OPTIONS]',
    summary: 'Opens the page of a bench that is running, as often as you like.',
    options: openOptions,
    more: ['The address that it prints is good once. Without a display it only prints it.'],
  },
  async ({ options, positionals, named }, environment) => {
    const [stranger] = positionals
    if (stranger !== undefined) return misuse(environment, 'open', `it takes no "${stranger}".`)
    const door = findDoor(options, environment, named)
    if (!door.ok) return (door.error.misused ? misuse : failed)(environment, 'open', door.error.problem)
    const invited = await invite(door.value, environment.stop)
    if (!invited.ok) return failed(environment, 'open', invited.error)
    const { terminal } = environment
    const folder = door.value.directory ?? defaultDataDirectory(environment)
    if (options.print !== true && openBrowser(invited.value, { folder, environment })) {
      terminal.out('Opening the page in the default browser.')
    } else terminal.out(invited.value)
    return 0
  },
)

/** Where a bench answers, and with what it lets us in. */
type Door = {
  readonly controlUrl: string
  readonly token: string
  readonly workspace: string
  readonly directory?: string
  /** Where the system's certificates do not do. */
  readonly fetch?: typeof fetch
}

type NoDoor = { readonly problem: string; readonly misused: boolean }

const findDoor = (
  { data, 'control-url': controlUrl, token, ca, workspace }: ParsedOptions<typeof openOptions>,
  environment: Environment,
  named: OptionName,
): Result<Door, NoDoor> => {
  const misused = (problem: string): Result<never, NoDoor> => err({ problem, misused: true })
  if (controlUrl !== undefined) {
    const found = /^(https?:\/\/[^/?#]+)(?:\/w\/([a-z0-9-]+))?\/control\/v1\/?$/.exec(controlUrl)
    if (found === null || !URL.canParse(controlUrl)) {
      return misused(
        `${named('control-url')} must be a control_url such as http://localhost:7420/control/v1; got "${controlUrl}".`,
      )
    }
    if (token === undefined) {
      return misused(`${named('control-url')} needs the token of that bench: HANDSET_TOKEN, or --token-file FILE.`)
    }
    const trusted = ca === undefined ? ok(undefined) : inFile(named('ca'), ca, ok)
    if (!trusted.ok) return misused(trusted.error)
    return ok({
      controlUrl: `${found[1]}/control/v1`,
      token,
      workspace: workspace ?? found[2] ?? 'main',
      ...(trusted.value === undefined ? {} : { fetch: fetchTrusting(trusted.value) }),
    })
  }
  // A variable may be there for `serve`, which has it too.
  if (token !== undefined && named('token').startsWith('--'))
    return misused(`${named('token')} belongs to --control-url, which is missing.`)
  const directory = resolve(data ?? defaultDataDirectory(environment))
  const running = readRunningBench(directory)
  if (!running.ok) return err({ problem: running.error, misused: false })
  if (running.value === undefined) {
    return err({
      problem: `no bench is running on ${directory}. Start one with "handset start", or name another by --data or --control-url.`,
      misused: false,
    })
  }
  const { control_url, token: kept, certificate } = running.value
  const pinned = certificate === undefined ? {} : { fetch: fetchOver(new Agent(pinTo(certificate))) }
  return ok({ controlUrl: control_url, token: kept, workspace: workspace ?? 'main', directory, ...pinned })
}

/** A bench on this machine answers in milliseconds; what is no bench may never do so. */
const PATIENCE_MS = 5000

const invite = async ({ workspace, ...door }: Door, stop: AbortSignal): Promise<Result<string, string>> => {
  const { controlUrl } = door
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)])
  try {
    const client = createControlClient(door)
    const { url } = await client.call('session.invite', { body: { workspace }, signal })
    // What answers there may be anything; only an address of a page goes to a browser.
    return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
      ? ok(new URL(url).href)
      : err(`what answers at ${controlUrl} is no bench.`)
  } catch (reason) {
    if (stop.aborted) return err('stopped.')
    if (signal.aborted) return err(`nothing answered at ${controlUrl} within ${PATIENCE_MS / 1000} s.`)
    if (!(reason instanceof ControlError)) return err(`nothing answers at ${controlUrl}. Is the bench still running?`)
    if (reason.code === 40111)
      return err(
        `the bench at ${controlUrl} does not take this token. Without a token of its own, a bench makes a new one at each start.`,
      )
    return err(reason.code === 0 ? `what answers at ${controlUrl} is no bench.` : printable(reason.message))
  }
}

/** Of what another program says, so that it cannot write what it likes on the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, ' ').slice(0, 300)
