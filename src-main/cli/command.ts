import type { OptionTable } from './options.ts'
import { type ReadOptions, readOptions, withSecretFiles } from './read-options.ts'
import { paintFor, type Terminal } from './terminal.ts'

export type Environment = {
  readonly terminal: Terminal
  readonly version: string
  /** Where package.json lies. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Whether the user is root, who may do everything but have Chromium's sandbox. */
  readonly isRoot?: boolean
  /** Where somebody sits at a keyboard: calls back at each Enter. */
  readonly onEnter?: (listener: () => void) => void
  /** Aborted once standard input ends; it is read from when this is called. */
  readonly inputEnd?: () => AbortSignal
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly stop: AbortSignal
}

/**
 * 0 done · 1 it went wrong · 2 the user asked for something that does not exist · 3 a run could not start, or not keep what
 * it found · 130 ended by hand before it was done.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130

export type Command = {
  readonly name: string
  readonly usage: string
  readonly summary: string
  /** Lines below the options. */
  readonly more: readonly string[]
  readonly options: OptionTable
  run(args: readonly string[], environment: Environment): Promise<ExitCode>
}

export const HELP: OptionTable = { help: { help: 'Show this help.' } }

/** A command from its table and what it does with its options, which have been parsed. */
export const makeCommand = <T extends OptionTable>(
  about: Omit<Command, 'run' | 'options'> & { readonly options: T },
  run: (parsed: ReadOptions<T>, environment: Environment, args: readonly string[]) => Promise<ExitCode>,
): Command => {
  const command: Command = {
    ...about,
    options: withSecretFiles({ ...about.options, ...HELP }),
    run: async (args, environment) => {
      const parsed = readOptions({ ...about.options, ...HELP }, args, environment.env)
      if (!parsed.ok) return misuse(environment, about.name, parsed.error)
      if (parsed.value.options.help === true) {
        environment.terminal.out(helpOf(command, environment.terminal))
        return 0
      }
      return run(parsed.value as ReadOptions<T>, environment, args)
    },
  }
  return command
}

/** One line, exit code 2. */
export const misuse = ({ terminal }: Pick<Environment, 'terminal'>, command: string, problem: string): ExitCode => {
  terminal.error(`handset ${command}: ${problem}`)
  return 2
}

export const failed = ({ terminal }: Pick<Environment, 'terminal'>, command: string, problem: string): ExitCode => {
  terminal.error(`handset ${command}: ${problem}`)
  return 1
}

export const helpOf = (command: Command, terminal: Terminal): string => {
  const { bold } = paintFor(terminal)
  return [
    command.summary,
    '',
    `${bold('Usage')}  handset ${command.name}${command.usage === '' ? '' : ` ${command.usage}`}`,
    '',
    ...optionLines(command.options, terminal.width),
    '',
    ...[...command.more, FROM_ENVIRONMENT].flatMap((line) => wrapped(line, terminal.width)),
  ].join('\n')
}

const FROM_ENVIRONMENT =
  'Each option may also come from a variable of the environment: --public-url from HANDSET_PUBLIC_URL, a switch with 1, what may be given often with commas. What the command line says goes first.'

const optionLines = (options: OptionTable, width: number): readonly string[] => {
  const heads = Object.entries(options).map(([name, { value, many, help }]) => ({
    head: `  --${name}${value === undefined ? '' : ` ${value}`}${many === true ? '…' : ''}`,
    help,
  }))
  const column = Math.max(...heads.map(({ head }) => head.length)) + 3
  return heads.flatMap(({ head, help }) => {
    const [first = '', ...rest] = wrapped(help, width - column)
    return [head.padEnd(column) + first, ...rest.map((line) => ' '.repeat(column) + line)]
  })
}

const wrapped = (text: string, width: number): readonly string[] => {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}
