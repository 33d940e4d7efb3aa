import { readdirSync } from 'node:fs'
import type { Result } from '../core/protocol/result.ts'
import { type BenchOptions, parseBenchOptions, type WantedBench } from './bench-options.ts'
import { defaultDataDirectory, type Machine } from './command.ts'
import { misuse, untilEnd } from './command-end.ts'
import { startOptions } from './options.ts'
import { type NameOption, optionFlag, readOptions } from './read-options.ts'

/** Without --data or --memory, everything is stored in the system's folder for program data. */
export const parseStartBench = (
  options: BenchOptions,
  machine: Machine,
  named: NameOption = optionFlag,
): WantedBench => {
  const data = options.data ?? (options.memory === true ? undefined : defaultDataDirectory(machine))
  const wanted = parseBenchOptions({ ...options, ...(data === undefined ? {} : { data }) }, named)
  return isNew(wanted.dataDirectory) ? withFirstPhone(wanted) : wanted
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
export const parseStart = (args: readonly string[], machine: Machine): Result<WantedBench, string> =>
  untilEnd(() => {
    const { options, positionals, named } = readOptions(startOptions, args, machine.env)
    const [stranger] = positionals
    return stranger === undefined ? parseStartBench(options, machine, named) : misuse(`It takes no "${stranger}".`)
  })
