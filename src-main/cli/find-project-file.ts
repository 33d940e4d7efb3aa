import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GivenArguments } from './command.ts'
import type { OptionDefaults } from './read-options.ts'
import type { Terminal } from './terminal.ts'

export const PROJECT_FILE = 'handset.config.yaml'

/** The name of the file in error messages. */
export const PROJECT_FILE_IN_ERRORS = 'the project’s file'

export const findProjectFile = (folder: string): string | undefined => findUpwards(PROJECT_FILE, folder)

/** The nearest file with this path, from the given folder upwards. */
export const findUpwards = (path: string, folder: string): string | undefined => {
  const file = join(folder, path)
  if (existsSync(file)) return file
  return dirname(folder) === folder ? undefined : findUpwards(path, dirname(folder))
}

const ROOT_USER = 0

/** True if this user or root owns the file and any link to it: other users may leave files in a folder above. */
export const isOwnFile = (file: string): boolean =>
  [lstatSync(file), statSync(file)].every(({ uid }) => [process.getuid?.() ?? uid, ROOT_USER].includes(uid))

/** Makes the project's file the --config of a bench, unless one is given or another program starts the bench. */
export const defaultConfig = (
  command: 'serve' | 'start',
  { options }: GivenArguments,
  terminal: Terminal,
): OptionDefaults | undefined => {
  const looksForIt = options.config === undefined && options['until-input-ends'] !== true
  const file = looksForIt ? findProjectFile(process.cwd()) : undefined
  if (file === undefined) return undefined
  if (isOwnFile(file))
    return { values: { config: file }, positionals: [], named: () => PROJECT_FILE_IN_ERRORS, profile: undefined }
  terminal.error(`handset ${command}: ${file} belongs to another user, and is not read. To read it, use --config.`)
  return undefined
}
