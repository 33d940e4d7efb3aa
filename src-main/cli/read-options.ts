import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Profile } from '../core/contract/profile.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { didYouMean, findNearest } from '../core/protocol/nearest.ts'
import { shellWord } from '../core/protocol/shell-word.ts'
import { misuse } from './command-end.ts'
import {
  type CommandName,
  OPTIONS,
  type Option,
  type OptionTable,
  type ParsedOptions,
  type WholeRange,
} from './options.ts'

export type Values = Readonly<Record<string, string | number | true | readonly string[]>>

type Environment = Readonly<Record<string, string | undefined>>

export type ReadOptions<T extends OptionTable> = ReturnType<typeof readOptions<T>>

export type Read<N extends CommandName> = ReadOptions<(typeof OPTIONS)[N]>

export type NameOption = (option: string) => string

const FILE = '-file'
const ARGUMENTS_ONLY = 'help'

export const optionFlag: NameOption = (option) => `--${option}`
export const optionVariable: NameOption = (option) => `HANDSET_${option.toUpperCase().replaceAll('-', '_')}`

/** Adds an option for a file to each secret: other users can read arguments in the list of processes. */
export const withSecretFiles = (table: OptionTable): OptionTable =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, option]): [string, Option][] => {
      if (option.secret !== true) return [[name, option]]
      const help = `Read --${name} from this file, where others cannot see it.`
      return [
        [name, { ...option, not: [...(option.not ?? []), name + FILE] }],
        [name + FILE, { value: 'FILE', not: [name], help }],
      ]
    }),
  )

/** A command's defaults from the project's file: values of options, and arguments. */
export type OptionDefaults = {
  readonly values: Values
  readonly positionals: readonly string[]
  readonly named: NameOption
  /** Settings of the profile, which no option can express. */
  readonly profile: Partial<Profile> | undefined
}

/**
 * Arguments override variables, and variables override the project's file. An option also overrides those that it
 * excludes; two options of one source that exclude each other are an error.
 */
export const readOptions = <T extends OptionTable>(
  table: T,
  args: readonly string[],
  env: Environment,
  file?: OptionDefaults,
) => {
  const whole = withSecretFiles(table)
  const { options: given, positionals } = parseArguments(whole, args)
  const set = readVariables(whole, env)
  refuseContradiction(whole, given, optionFlag)
  refuseContradiction(whole, set, optionVariable)
  const over = (values: Values, by: Values): Values => {
    const hidden = new Set(Object.keys(by).flatMap((name) => whole[name]?.not ?? []))
    return { ...Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name))), ...by }
  }
  const values = over(over(file?.values ?? {}, set), given)
  /** How the user gave an option: `--port`, or `HANDSET_PORT`. */
  const named: NameOption = (option) => {
    const source = Object.hasOwn(values, option + FILE) ? option + FILE : option
    if (Object.hasOwn(given, source)) return optionFlag(source)
    if (Object.hasOwn(set, source)) return optionVariable(source)
    return file !== undefined && Object.hasOwn(file.values, source) ? file.named(source) : optionFlag(source)
  }
  const isSecret = (name: string): boolean => table[name]?.secret === true
  const givenOf = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => [name, name + FILE]).filter((name) => Object.hasOwn(values, name))
  return {
    options: withDefaults(whole, readSecrets(whole, values, named), named) as ParsedOptions<T>,
    positionals: positionals.length === 0 && file !== undefined ? file.positionals : positionals,
    named,
    /** What was read from the project's file. */
    file,
    /** The named options with their values, as words for the next command; a secret appears as its variable. */
    repeated: (names: readonly string[]): string =>
      givenOf(names)
        .map((name) => {
          if (isSecret(name)) return `${optionFlag(name)} "$${optionVariable(name)}"`
          return values[name] === true ? optionFlag(name) : `${optionFlag(name)} ${shellWord(String(values[name]))}`
        })
        .join(' '),
    /** The variables that these words need and that are not set. */
    unset: (names: readonly string[]): readonly string[] =>
      givenOf(names)
        .filter(isSecret)
        .map(optionVariable)
        .filter((variable) => env[variable] === undefined),
  }
}

const LONGEST_MS = 24 * 3_600_000
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const

export const parseDuration = (text: string, name: string): number => {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? []
  const duration = Math.round(Number(number) * (UNITS[unit as keyof typeof UNITS] ?? 0))
  return number !== '' && duration >= 100 && duration <= LONGEST_MS
    ? duration
    : misuse(`${name} must be a time with its unit, from 100ms to 24h, such as 30s or 5m; got "${text}".`)
}

const refuseContradiction = (table: OptionTable, values: Values, nameOf: NameOption): void => {
  for (const name of Object.keys(values)) {
    const other = table[name]?.not?.find((excluded) => Object.hasOwn(values, excluded))
    if (other !== undefined) misuse(`${nameOf(name)} and ${nameOf(other)} exclude each other.`)
  }
}

const OF_THE_TESTS = /^HANDSET_(BROWSER|TEST_\w+)$/

const readVariables = (table: OptionTable, env: Environment): Values => {
  const values: Record<string, Values[string]> = {}
  const known = new Set(
    Object.values(OPTIONS).flatMap((each) => Object.keys(withSecretFiles(each)).map(optionVariable)),
  )
  for (const variable of Object.keys(env).filter((name) => name.startsWith('HANDSET_') && !OF_THE_TESTS.test(name))) {
    if (known.has(variable)) continue
    misuse(`there is no variable ${variable}.${didYouMean(variable, [...known])}`)
  }
  for (const [name, option] of Object.entries(table)) {
    // An empty variable counts as not set: CI files often list variables without values.
    const text = env[optionVariable(name)] ?? ''
    if (text === '' || name === ARGUMENTS_ONLY) continue
    if (option.many === true) values[name] = text.split(/[\s,]+/).filter(Boolean)
    else if (option.value !== undefined) values[name] = text
    else if (text === '1' || text === 'true') values[name] = true
    else if (text !== '0' && text !== 'false') misuse(`${optionVariable(name)} must be 1 or 0; got "${text}".`)
  }
  return values
}

const readSecrets = (table: OptionTable, values: Values, named: NameOption): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const secret = name.endsWith(FILE) ? name.slice(0, -FILE.length) : ''
      return table[secret]?.secret === true ? [secret, readSecret(String(value), named(name))] : [name, value]
    }),
  )

const LONGEST_SECRET = 4096

/** Reads a one-line secret without its line ending, and never more than the limit, however large the file. */
const readSecret = (path: string, name: string): string => {
  let bytes: Buffer | undefined
  try {
    const file = openSync(path, 'r')
    try {
      if (!fstatSync(file).isDirectory()) {
        const most = Buffer.alloc(LONGEST_SECRET + 1)
        bytes = most.subarray(0, readSync(file, most, 0, most.length, null))
      }
    } finally {
      closeSync(file)
    }
  } catch (reason) {
    const { code, message } = reason as NodeJS.ErrnoException
    misuse(`${name}: ${code === 'ENOENT' ? `there is no file ${path}.` : `${path} cannot be read: ${message}.`}`)
  }
  if (bytes === undefined) return misuse(`${name}: ${path} is a folder; name a file.`)
  const text = bytes.toString().replace(/^\ufeff|\r?\n$/g, '')
  if (text === '') misuse(`${name}: ${path} is empty.`)
  if (bytes.length > LONGEST_SECRET || /[\r\n]/.test(text)) misuse(`${name}: ${path} must hold one line, the secret.`)
  return text
}

/** Accepts `--name value`, `--name=value`, switches, and `--` before arguments that only look like options. */
export const parseArguments = (
  table: OptionTable,
  args: readonly string[],
): { readonly options: Values; readonly positionals: readonly string[] } => {
  const options: Record<string, string | true | string[]> = {}
  const positionals: string[] = []
  for (const token of tokensOf(table, args)) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, inlineValue, value = '' } = token
    const option = Object.hasOwn(table, name) ? table[name] : undefined
    if (option === undefined || ![`--${name}`, `-${option.short}`].includes(token.rawName))
      misuse(unknownOption(args[token.index] ?? '', Object.keys(table)))
    const before = options[name]
    if (option.value === undefined) {
      if (inlineValue === true) misuse(`--${name} takes no value.`)
      options[name] = true
    } else if (value === '' || (value.startsWith('--') && inlineValue !== true)) {
      misuse(`--${name} needs a value: --${name} ${option.value}`)
    } else if (option.many === true)
      options[name] = [...(Array.isArray(before) ? before : []), ...valuesIn(value, option)]
    else if (before !== undefined) misuse(`--${name} is given twice.`)
    else options[name] = value
  }
  return { options, positionals }
}

const valuesIn = (text: string, { commas }: Option): readonly string[] => (commas === true ? text.split(',') : [text])

/** Adds default values, and parses numbers. */
export const withDefaults = (table: OptionTable, values: Values, nameOf: NameOption): Values => {
  const complete: Record<string, Values[string] | undefined> = { ...values }
  for (const [name, option] of Object.entries(table)) {
    const text = values[name]
    if (text === undefined) complete[name] = option.usual
    else if (option.whole !== undefined) complete[name] = wholeNumber(nameOf(name), String(text), option.whole)
  }
  return withoutUndefined(complete) as Values
}

export const wholeNumber = (name: string, text: string, { least, most }: WholeRange): number => {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= least && value <= most
    ? value
    : misuse(`${name} must be a whole number from ${least} to ${most}; got "${text}".`)
}

// Not strict: strict errors suggest no similar option, and strict parsing accepts repeated options.
const tokensOf = (table: OptionTable, args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(table).map(([name, { value, short }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) },
      ]),
    ),
    strict: false,
    tokens: true,
  }).tokens

/** Our options under the names that other test runners and clients use. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...{ grep: 'filter', g: 'filter', t: 'filter', 'grep-invert': 'exclude', invert: 'exclude' },
  ...{ bail: 'max-failures', x: 'max-failures', 'fail-fast': 'max-failures', workers: 'parallel', jobs: 'parallel' },
  ...{ j: 'parallel', reporter: 'report', reporters: 'report', output: 'out', 'output-dir': 'out', url: 'base-url' },
  ...{ collect: 'list', 'dry-run': 'list', tags: 'tag', insecure: 'ca', cacert: 'ca' },
}

const unknownOption = (text: string, names: readonly string[]): string => {
  const [arg = ''] = text.split('=')
  const name = arg.replace(/^-+/, '')
  const same = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined
  const near = same !== undefined && names.includes(same) ? same : findNearest(name, names)
  return `unknown option ${arg}.${near === undefined ? '' : ` Did you mean --${near}?`}`
}
