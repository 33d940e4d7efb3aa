import { dirname, relative, resolve } from 'node:path'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { readConfig } from '../bench-options.ts'
import { ifGiven, misuse } from '../command-end.ts'
import { isOwnFile, PROJECT_FILE_IN_ERRORS } from '../find-project-file.ts'
import { readOptionFile } from '../in-file.ts'
import type { OptionDefaults } from '../read-options.ts'

/**
 * The defaults of `handset run` in the project's file. Its paths are relative to its folder. It never excludes scenarios
 * that the user names.
 */
export const readProjectFile = (file: string, namesPaths: boolean): OptionDefaults | undefined => {
  // Scenarios can start programs, so nobody else may have written the file.
  if (!isOwnFile(file)) {
    if (namesPaths) return undefined
    misuse(`${file} belongs to another user, and is not read. Name the scenarios, or make the file your own.`)
  }
  const config = readOptionFile(PROJECT_FILE_IN_ERRORS, file, readConfig)
  const { paths = [], out, max_failures, tag, exclude, profile, ...run } = config.run ?? {}
  const chosen = namesPaths ? {} : { tag, exclude }
  const here = (path: string): string => relative('', resolve(dirname(file), path)) || '.'
  return {
    values: withoutUndefined({ ...run, ...chosen, 'max-failures': max_failures, out: ifGiven(out, here) }),
    profile,
    positionals: paths.map(here),
    named: (option) => `${file}: run.${option.replaceAll('-', '_')}`,
  }
}
