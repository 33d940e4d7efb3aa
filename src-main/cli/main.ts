import { findNearest } from '../core/protocol/nearest.ts'
import { toSystemRefusal } from '../disk/system-refusal.ts'
import { type Command, type Environment, formatHelp, formatHelpRows, wrapText } from './command.ts'
import type { ExitCode } from './command-end.ts'
import type { CommandName } from './options.ts'
import { SUMMARIES } from './summaries.ts'
import { paintFor, type Terminal } from './terminal.ts'

/** Commands are loaded when used: `--help` and mistakes need none of them. */
const COMMANDS = {
  start: async () => (await import('./start.ts')).start,
  desktop: async () => (await import('./desktop.ts')).desktop,
  serve: async () => (await import('./serve.ts')).serve,
  open: async () => (await import('./open.ts')).open,
  token: async () => (await import('./token.ts')).token,
  record: async () => (await import('./record.ts')).record,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  admin: async () => (await import('./admin.ts')).admin,
  init: async () => (await import('./init.ts')).init,
  run: async () => (await import('./run.ts')).run,
  load: async () => (await import('./load.ts')).load,
  suite: async () => (await import('./suite.ts')).suite,
  check: async () => (await import('./check.ts')).check,
  parity: async () => (await import('./parity.ts')).parity,
  proxy: async () => (await import('./proxy.ts')).proxy,
  show: async () => (await import('./show.ts')).show,
  why: async () => (await import('./why.ts')).why,
  mcp: async () => (await import('./mcp.ts')).mcp,
  inspect: async () => (await import('./inspect.ts')).inspect,
  sign: async () => (await import('./sign.ts')).sign,
  faults: async () => (await import('./faults.ts')).faults,
  completion: async () => (await import('./completion.ts')).completion,
} as const satisfies Record<CommandName, () => Promise<Command>>

/** A mistake of the user is one line and exit code 2, never a stack trace. */
export const main = async (args: readonly string[], environment: Environment): Promise<ExitCode> => {
  const { terminal, version } = environment
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === 'help' || name === '-h') {
    const [topic] = rest
    if (topic !== undefined && !isCommand(topic)) return unknownCommand(environment, topic)
    terminal.out(topic === undefined ? overview(terminal, version) : formatHelp(await COMMANDS[topic](), terminal))
    return 0
  }
  if (name === '--version' || name === '-V') {
    terminal.out(version)
    return 0
  }
  if (!isCommand(name)) {
    if (!name.startsWith('-')) return unknownCommand(environment, name)
    terminal.error(`handset: unknown option ${name}. See handset --help.`)
    return 2
  }
  const command = await COMMANDS[name]()
  try {
    return await command.run(rest, environment)
  } catch (reason) {
    // A user can fix a file or an address that the system refuses; anything else is a bug.
    const problem = toSystemRefusal(reason)
    if (problem === undefined) throw reason
    const { systemRefusalText } = await import('./problem-texts.ts')
    terminal.error(`handset ${name}: ${systemRefusalText(problem)}`)
    return 1
  }
}

const isCommand = (text: string): text is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, text)

/** Our commands under the names that other programs use. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...{ version: '--version', test: 'run', play: 'run', dev: 'start', up: 'start', ui: 'open', trace: 'show' },
}

const unknownCommand = ({ terminal }: Environment, name: string): ExitCode => {
  const near = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : findNearest(name, Object.keys(COMMANDS))
  terminal.error(
    `handset: there is no command "${name}". ${near === undefined ? 'See handset --help.' : `Did you mean ${near}?`}`,
  )
  return 2
}

const overview = (terminal: Terminal, version: string): string => {
  const { width } = terminal
  const { bold, dim } = paintFor(terminal)
  return [
    `${bold('Handset')} ${version}`,
    ...wrapText('A scan-and-push FIDO service on your desk, with the phones to go with it.', width).map(dim),
    '',
    `${bold('Usage')}  handset COMMAND [OPTIONS]`,
    '',
    ...formatHelpRows(
      Object.entries(SUMMARIES).map(([name, help]) => ({ name, help })),
      width,
    ),
    '',
    'handset COMMAND --help shows its options. handset --version prints the version.',
  ].join('\n')
}
