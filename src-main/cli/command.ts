import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, posix, win32 } from 'node:path'
import { CommandEnd, EXIT_NOT_DONE, EXIT_STOPPED, type ExitCode, misuse } from './command-end.ts'
import { type CommandName, describeOption, OPTIONS, type OptionTable } from './options.ts'
import { type OptionDefaults, parseArguments, type Read, readOptions, withSecretFiles } from './read-options.ts'
import { SUMMARIES } from './summaries.ts'
import { paintFor, type Terminal } from './terminal.ts'

export type Environment = {
  readonly terminal: Terminal
  readonly version: string
  /** Folder of package.json. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** True for root, for whom Chromium has no sandbox. */
  readonly isRoot?: boolean
  /** Present only at a terminal. */
  readonly onEnter?: (listener: () => void) => void
  /** Present only at a terminal. */
  readonly ask?: (question: string) => Promise<string>
  readonly input?: AsyncIterable<Uint8Array>
  /** Begins to read standard input; the signal is aborted when it ends. */
  readonly inputEnd?: () => AbortSignal
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly stop: AbortSignal
}

export type Command = {
  readonly name: CommandName
  readonly usage: string
  /** Help text below the options. */
  readonly more: readonly string[]
  readonly options: OptionTable
  run(args: readonly string[], environment: Environment): Promise<ExitCode>
}

export const HELP_OPTION: OptionTable = { help: { short: 'h', help: 'Show this help.' } }

/** Matches the usage of a command that takes no arguments before its options. */
const TAKES_OPTIONS_ALONE = /^(\[OPTIONS\]|--|$)/

export type GivenArguments = {
  readonly options: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

type About<N> = Omit<Command, 'run' | 'options'> & {
  readonly name: N
  /** Values from a file, used for options that are neither given nor set by a variable. */
  readonly defaults?: (given: GivenArguments, environment: Environment) => Promise<OptionDefaults | undefined>
}

export const makeCommand = <N extends CommandName>(
  about: About<N>,
  run: (parsed: Read<N>, environment: Environment, args: readonly string[]) => Promise<ExitCode>,
): Command => {
  const table: OptionTable = { ...OPTIONS[about.name], ...HELP_OPTION }
  const command: Command = {
    ...about,
    options: withSecretFiles(table),
    run: async (args, environment) => {
      const { terminal, env } = environment
      return reportEnd(about.name, environment, async () => {
        if (parseArguments(command.options, args).options.help === true) {
          terminal.out(formatHelp(command, terminal))
          return 0
        }
        const given = readOptions(table, args, env)
        const file = await about.defaults?.(given, environment)
        const parsed = file === undefined ? given : readOptions(table, args, env, file)
        const [stranger] = parsed.positionals
        if (stranger !== undefined && TAKES_OPTIONS_ALONE.test(about.usage)) misuse(`it takes no "${stranger}".`)
        return await run(parsed as Read<N>, environment, args)
      })
    },
  }
  return command
}

/** Prints why the work ends the command, and returns the exit code. */
export const reportEnd = async (
  command: CommandName,
  { terminal, stop }: Environment,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> => {
  try {
    return await work()
  } catch (reason) {
    if (!(reason instanceof CommandEnd)) throw reason
    const isStopped = reason.code === EXIT_NOT_DONE && stop.aborted
    terminal.error(`handset ${command}: ${isStopped ? 'stopped before the end.' : reason.message}`)
    return isStopped ? EXIT_STOPPED : reason.code
  }
}

export const formatHelp = (command: Command, terminal: Terminal): string => {
  const { bold } = paintFor(terminal)
  return [
    ...wrapText(SUMMARIES[command.name], terminal.width),
    '',
    `${bold('Usage')}  handset ${command.name}${command.usage === '' ? '' : ` ${command.usage}`}`,
    '',
    ...optionLines(command.options, terminal.width),
    '',
    ...[...command.more, '', FROM_ENVIRONMENT].flatMap((line) => wrapText(line, terminal.width)),
  ].join('\n')
}

const FROM_ENVIRONMENT =
  'An environment variable sets the same as an option: HANDSET_PUBLIC_URL for --public-url. Switches take 1, lists are separated by commas. The command line overrides it.'

export const optionUsage = (name: string, { value, many, short }: OptionTable[string]): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}${many === true ? '…' : ''}`

const optionLines = (options: OptionTable, width: number): readonly string[] =>
  formatHelpRows(
    Object.entries(options).map(([name, option]) => ({
      name: optionUsage(name, option),
      help: describeOption(option),
    })),
    width,
  )

export const formatHelpRows = (
  rows: readonly { readonly name: string; readonly help: string }[],
  width: number,
): readonly string[] => {
  const column = Math.max(...rows.map(({ name }) => name.length)) + 5
  return rows.flatMap(({ name, help }) => {
    const [first = '', ...rest] = wrapText(help, width - column)
    return [`  ${name}`.padEnd(column) + first, ...rest.map((line) => ' '.repeat(column) + line)]
  })
}

export const wrapText = (text: string, width: number): readonly string[] => {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

export type Machine = Pick<Environment, 'env' | 'platform'>

export const hasDisplay = ({ env, platform }: Machine): boolean => {
  if (platform === 'win32' || platform === 'darwin') return env.SSH_CONNECTION === undefined
  return Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY)
}

export const findOnPath = (program: string, { env, platform }: Machine): string | undefined => {
  const names = platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program]
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file))
}

export const defaultDataDirectory = ({ env, platform }: Machine): string => {
  if (platform === 'win32') {
    // On Windows a shell from Unix sets HOME to a folder that the system does not know.
    const home = env.USERPROFILE || env.HOME || homedir()
    return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'Handset')
  }
  const home = env.HOME || homedir()
  if (platform === 'darwin') return posix.join(home, 'Library/Application Support/Handset')
  const data = env.XDG_DATA_HOME ?? ''
  // XDG Base Directory Specification: a relative path is invalid, and ignored.
  return posix.join(posix.isAbsolute(data) ? data : posix.join(home, '.local/share'), 'handset')
}

/** Windows sends SIGHUP when the console is closed; elsewhere a listener for it would undo nohup. */
export const terminationSignals = (platform: NodeJS.Platform): readonly NodeJS.Signals[] =>
  platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM']

/** Resolves with the process's exit code or signal, or why it did not start. */
export const waitForChild = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 1))
  })

export const waitForStop = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) resolve()
    else stop.addEventListener('abort', () => resolve(), { once: true })
  })
