import { readdirSync } from 'node:fs'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { type BenchOptions, parseBenchOptions, type WantedBench } from './bench-options.ts'
import { defaultDataDirectory, type Environment } from './command.ts'
import { startOptions } from './options.ts'
import { type NameOption, optionFlag, readOptions } from './read-options.ts'

type Machine = Pick<Environment, 'env' | 'platform'>

/** Without --data or --memory, everything is stored in the system's folder for program data. */
export const parseStartBench = (
  options: BenchOptions,
  machine: Machine,
  named: NameOption = optionFlag,
): Result<WantedBench, string> => {
  const data = options.data ?? (options.memory === true ? undefined : defaultDataDirectory(machine))
  const wanted = parseBenchOptions({ ...options, ...(data === undefined ? {} : { data }) }, named)
  return wanted.ok && isNew(wanted.value.dataDirectory) ? ok(withFirstPhone(wanted.value)) : wanted
}

const isNew = (directory: string | undefined): boolean =>
  directory === undefined || !namesIn(directory).some((name) => name.endsWith('.db'))

/** Empty for a missing folder or a file, which are reported elsewhere. */
const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** A new bench starts with a phone. A phone that is deleted later does not come back. */
const withFirstPhone = (wanted: WantedBench): WantedBench =>
  wanted.seedData.phones.length > 0
    ? wanted
    : { ...wanted, seedData: { ...wanted.seedData, phones: [{ name: 'Alice' }] } }

/** For Electron, which gets unparsed arguments. */
export const parseStart = (args: readonly string[], machine: Machine): Result<WantedBench, string> => {
  const parsed = readOptions(startOptions, args, machine.env)
  if (!parsed.ok) return parsed
  const { options, positionals, named } = parsed.value
  const [stranger] = positionals
  return stranger === undefined ? parseStartBench(options, machine, named) : err(`It takes no "${stranger}".`)
}
