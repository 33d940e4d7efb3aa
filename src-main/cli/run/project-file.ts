import { statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { defined } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { readConfig } from '../bench-options.ts'
import { inFile } from '../in-file.ts'
import type { Defaults } from '../read-options.ts'

const ROOT_USER = 0

/** What the project's file says of `handset run`. Its paths count from its own folder. */
export const readProjectFile = (file: string): Result<Defaults, string> => {
  const owner = statSync(file).uid
  // Scenarios start programs: a file that somebody else left in a folder above must not choose them.
  if (![process.getuid?.() ?? owner, ROOT_USER].includes(owner))
    return err(`${file} belongs to another user, and is not read.`)
  const config = inFile('the project’s file', file, readConfig)
  if (!config.ok) return config
  const { paths = [], out, max_failures, ...run } = config.value.run ?? {}
  const here = (path: string): string => relative('', resolve(dirname(file), path)) || '.'
  return ok({
    values: defined({ ...run, 'max-failures': max_failures, out: out === undefined ? undefined : here(out) }),
    positionals: paths.map(here),
    named: (option) => `${file}: run.${option.replaceAll('-', '_')}`,
  })
}
