import { dirname, relative, resolve } from 'node:path'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { readConfig } from '../bench-options.ts'
import { isOwnFile, PROJECT_FILE_NAME } from '../find-project-file.ts'
import { readOptionFile } from '../in-file.ts'
import type { OptionDefaults } from '../read-options.ts'

/**
 * The defaults of `handset run` in the project's file. Its paths are relative to its folder. It never excludes scenarios
 * that the user names.
 */
export const readProjectFile = (file: string, namesPaths: boolean): Result<OptionDefaults | undefined, string> => {
  // Scenarios start programs.
  if (!isOwnFile(file)) {
    if (namesPaths) return ok(undefined)
    return err(`${file} belongs to another user, and is not read. Name the scenarios, or make the file your own.`)
  }
  const config = readOptionFile(PROJECT_FILE_NAME, file, readConfig)
  if (!config.ok) return config
  const { paths = [], out, max_failures, tag, exclude, profile, ...run } = config.value.run ?? {}
  const chosen = namesPaths ? {} : { tag, exclude }
  const here = (path: string): string => relative('', resolve(dirname(file), path)) || '.'
  return ok({
    values: withoutUndefined({
      ...run,
      ...chosen,
      'max-failures': max_failures,
      out: out === undefined ? undefined : here(out),
    }),
    profile,
    positionals: paths.map(here),
    named: (option) => `${file}: run.${option.replaceAll('-', '_')}`,
  })
}
