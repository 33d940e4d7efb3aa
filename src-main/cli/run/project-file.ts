import { lstatSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { defined } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { readConfig } from '../bench-options.ts'
import { inFile } from '../in-file.ts'
import type { Defaults } from '../read-options.ts'

const ROOT_USER = 0

/**
 * What the project's file says of `handset run`. Its paths count from its own folder. Where the user names scenarios, it
 * leaves none of them out.
 */
export const readProjectFile = (file: string, namesPaths: boolean): Result<Defaults | undefined, string> => {
  const isOurs = ({ uid }: { readonly uid: number }): boolean => [process.getuid?.() ?? uid, ROOT_USER].includes(uid)
  // Scenarios start programs: a file, or a link to one, that somebody else left in a folder above must not choose them.
  if (!isOurs(lstatSync(file)) || !isOurs(statSync(file))) {
    if (namesPaths) return ok(undefined)
    return err(`${file} belongs to another user, and is not read. Name the scenarios, or make the file your own.`)
  }
  const config = inFile('the project’s file', file, readConfig)
  if (!config.ok) return config
  const { paths = [], out, max_failures, tag, exclude, profile, ...run } = config.value.run ?? {}
  const chosen = namesPaths ? {} : { tag, exclude }
  const here = (path: string): string => relative('', resolve(dirname(file), path)) || '.'
  return ok({
    values: defined({
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
