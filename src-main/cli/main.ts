import { nearest } from '../protocol/nearest.ts'
import { fileProblem } from '../service/store/file-problem.ts'
import { type Command, type Environment, type ExitCode, failed, helpOf } from './command.ts'
import { paintFor, type Terminal } from './terminal.ts'

/** Loaded when used: `--help` and mistakes need none of them. */
const COMMANDS = {
  start: async () => (await import('./start.ts')).start,
  desktop: async () => (await import('./desktop.ts')).desktop,
  serve: async () => (await import('./serve.ts')).serve,
  open: async () => (await import('./open.ts')).open,
  run: async () => (await import('./run.ts')).run,
  suite: async () => (await import('./suite.ts')).suite,
  show: async () => (await import('./show.ts')).show,
  sign: async () => (await import('./sign.ts')).sign,
  faults: async () => (await import('./faults.ts')).faults,
} as const satisfies Record<string, () => Promise<Command>>

const SUMMARIES = {
  start: 'Everything, with a window where there can be one.',
  desktop: 'The desktop program, in a window of its own; downloads Electron if it is missing.',
  serve: 'The service, the phones, the control interface and the page, without a window.',
  open: 'Opens the page of a bench that is running.',
  run: 'Plays scenarios against the service.',
  suite: 'Walks the faults of the service against your RP.',
  show: 'Shows a trace that a run, a test or the page saved.',
  sign: 'Signs one request as an RP does, and prints it.',
  faults: 'The named faults a phone can be told to commit.',
} as const satisfies Record<keyof typeof COMMANDS, string>

/** The handset command. A user's mistake is one line and exit code 2, never a stack trace. */
export const main = async (args: readonly string[], environment: Environment): Promise<ExitCode> => {
  const { terminal, version } = environment
  const [name, ...rest] = asSuite(args)
  if (name === undefined || name === '--help' || name === 'help' || name === '-h') {
    const [topic] = rest
    if (topic !== undefined && isCommand(topic)) {
      terminal.out(helpOf(await COMMANDS[topic](), terminal))
      return 0
    }
    if (topic !== undefined) return unknownCommand(environment, topic)
    terminal.out(overview(terminal, version))
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
    // A file or an address the system will not let us have is the user's to put right; anything else is a bug.
    const problem = fileProblem(reason)
    if (problem === undefined) throw reason
    return failed(environment, name, problem)
  }
}

/** `handset run suite:rp` is `handset suite rp`. */
const asSuite = (args: readonly string[]): readonly string[] => {
  const [name, first = '', ...rest] = args
  return name === 'run' && first.startsWith('suite:') ? ['suite', first.slice('suite:'.length), ...rest] : args
}

const isCommand = (text: string): text is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, text)

const unknownCommand = ({ terminal }: Environment, name: string): ExitCode => {
  const near = nearest(name, Object.keys(COMMANDS))
  terminal.error(
    `handset: there is no command "${name}". ${near === undefined ? 'See handset --help.' : `Did you mean ${near}?`}`,
  )
  return 2
}

const overview = (terminal: Terminal, version: string): string => {
  const { bold, dim } = paintFor(terminal)
  return [
    `${bold('Handset')} ${version}  ${dim('A scan-and-push FIDO service on your desk, with the phones to go with it.')}`,
    '',
    `${bold('Usage')}  handset COMMAND [OPTIONS]`,
    '',
    ...Object.entries(SUMMARIES).map(([name, summary]) => `  ${name.padEnd(8)}${summary}`),
    '',
    'handset COMMAND --help tells more about one. handset --version prints the version.',
  ].join('\n')
}
