import { readdirSync } from 'node:fs'
import type { Result } from '../core/protocol/result.ts'
import { type BenchOptions, parseBenchOptions, type WantedBench } from './bench-options.ts'
import { defaultDataDirectory, type Machine } from './command.ts'
import { misuse, untilEnd } from './command-end.ts'
import { startOptions } from './options.ts'
import { type NameOption, optionFlag, readOptions } from './read-options.ts'

/** Without --data or --memory, everything is stored in the system's folder for program data. A new bench has a phone. */
export const parseStartBench = (
  options: BenchOptions,
  machine: Machine,
  named: NameOption = optionFlag,
): WantedBench => {
  const data = options.data ?? (options.memory === true ? undefined : defaultDataDirectory(machine))
  const wanted = parseBenchOptions({ ...options, ...(data === undefined ? {} : { data }) }, named)
  const { dataDirectory, seedData } = wanted
  const isNew = dataDirectory === undefined || !namesIn(dataDirectory).some((name) => name.endsWith('.db'))
  // A phone that is deleted later does not come back.
  return isNew && seedData.phones.length === 0
    ? { ...wanted, seedData: { ...seedData, phones: [{ name: 'Alice' }] } }
    : wanted
}

/** Empty for a missing folder or a file, which are reported elsewhere. */
const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** For Electron, which gets unparsed arguments. */
export const parseStart = (args: readonly string[], machine: Machine): Result<WantedBench, string> =>
  untilEnd(() => {
    const { options, positionals, named } = readOptions(startOptions, args, machine.env)
    const [stranger] = positionals
    return stranger === undefined ? parseStartBench(options, machine, named) : misuse(`It takes no "${stranger}".`)
  })
