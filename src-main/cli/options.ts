import { parseArgs } from 'node:util'
import { nearest } from '../core/protocol/nearest.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'

/** One option of a command; help, parsing and complaints come from the table. */
export type Option = {
  /** Placeholder for its value in the help; an option without one is a switch. */
  readonly value?: string
  readonly many?: true
  /** It may also come from a file. */
  readonly secret?: true
  /** Options with which it cannot be given together. */
  readonly not?: readonly string[]
  readonly help: string
}

export type OptionTable = Readonly<Record<string, Option>>

export type ParsedOptions<T extends OptionTable> = {
  readonly [K in keyof T]?: T[K] extends { readonly many: true }
    ? readonly string[]
    : T[K] extends { readonly value: string }
      ? string
      : true
}

export type ParsedArguments<T extends OptionTable> = {
  readonly options: ParsedOptions<T>
  readonly positionals: readonly string[]
}

/** `--name value`, `--name=value`, switches, and `--` before arguments that only look like options. */
export const parseArguments = <T extends OptionTable>(
  table: T,
  args: readonly string[],
): Result<ParsedArguments<T>, string> => {
  const options: Record<string, string | true | string[]> = {}
  const positionals: string[] = []
  for (const token of tokensOf(table, args)) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, inlineValue, value = '' } = token
    const option = Object.hasOwn(table, name) && token.rawName.startsWith('--') ? table[name] : undefined
    if (option === undefined) return err(unknownOption(args[token.index] ?? '', Object.keys(table)))
    const before = options[name]
    if (option.value === undefined) {
      if (inlineValue === true) return err(`--${name} takes no value.`)
      options[name] = true
    } else if (value === '' || (value.startsWith('--') && inlineValue !== true)) {
      return err(`--${name} needs a value: --${name} ${option.value}`)
    } else if (option.many === true) options[name] = [...(Array.isArray(before) ? before : []), value]
    else if (before !== undefined) return err(`--${name} is given twice.`)
    else options[name] = value
  }
  return ok({ options: options as ParsedOptions<T>, positionals })
}

// Not strict: its errors name no option that was meant, and it accepts one that is given twice.
const tokensOf = (table: OptionTable, args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(table).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
    ),
    strict: false,
    tokens: true,
  }).tokens

const unknownOption = (text: string, names: readonly string[]): string => {
  const [arg = ''] = text.split('=')
  const near = nearest(arg.replace(/^-+/, ''), names)
  return `unknown option ${arg}.${near === undefined ? '' : ` Did you mean --${near}?`}`
}
