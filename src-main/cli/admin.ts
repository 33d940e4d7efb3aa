import { resolve } from 'node:path'
import { en } from '../core/messages/en/en.ts'
import { textOf } from '../core/messages/text.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { openStore, readSchemaVersions, type StoredPlace } from '../service/store/open-store.ts'
import { parsePostgresUrl } from '../service/store/postgres/location.ts'
import { fail, makeCommand, misuse } from './command.ts'
import { QUIET_LOG, terminalLog } from './log.ts'
import type { adminOptions, ParsedOptions } from './options.ts'
import { startProblemText } from './problem-texts.ts'
import type { NameOption } from './read-options.ts'

export const admin = makeCommand(
  {
    name: 'admin',
    usage: 'migrate [OPTIONS]',
    more: [
      'Each start does so by itself; this does it apart from a start, and shows the versions.',
      'All migrations are applied or none. What a newer version has migrated is refused untouched.',
    ],
  },
  async ({ options, positionals: [verb, stranger], named }, environment) => {
    if (verb !== 'migrate') {
      return misuse(
        environment,
        'admin',
        verb === undefined ? 'what? It does migrate.' : `it does migrate, not "${verb}".`,
      )
    }
    if (stranger !== undefined) return misuse(environment, 'admin', `migrate takes no "${stranger}".`)
    const kept = keptBy(options, named)
    if (!kept.ok) return misuse(environment, 'admin', kept.error)
    const { terminal } = environment
    const before = await readSchemaVersions(kept.value)
    if (!before.ok) return fail(environment, 'admin', startProblemText(before.error))
    const { there, known } = before.value
    const print = (migrated: boolean): void =>
      terminal.out(
        options.json === true
          ? JSON.stringify({ version: there, program: known, migrated })
          : [
              `${'database'.padEnd(10)}${'database' in kept.value ? kept.value.database.shown : kept.value.directory}`,
              `${'version'.padEnd(10)}${there === 0 ? '0, nothing is there yet' : there}`,
              `${'program'.padEnd(10)}${known}`,
              there === known ? 'Nothing to do.' : `${migrated ? 'Applied' : 'To apply'}: ${numbers(there, known)}.`,
            ].join('\n'),
      )
    if (there > known) {
      return fail(
        environment,
        'admin',
        `the database has version ${there}; this program knows versions up to ${known}. Use a newer handset.`,
      )
    }
    if (options['dry-run'] === true || there === known) {
      print(false)
      return 0
    }
    const { value } = kept
    const location =
      'database' in value
        ? ({ kind: 'postgres', database: value.database } as const)
        : ({ kind: 'directory', path: value.directory } as const)
    const store = await openStore(location, terminalLog(terminal, QUIET_LOG))
    if (!store.ok) return fail(environment, 'admin', startProblemText(store.error))
    await store.value.close()
    print(true)
    return 0
  },
)

const numbers = (there: number, known: number): string =>
  Array.from({ length: known - there }, (_, n) => there + n + 1).join(', ')

const keptBy = (
  { data, store }: ParsedOptions<typeof adminOptions>,
  named: NameOption,
): Result<StoredPlace, string> => {
  if (store === undefined) {
    return data === undefined
      ? err('name what to migrate: --data DIR, or --store URL.')
      : ok({ directory: resolve(data) })
  }
  const database = parsePostgresUrl(store)
  return database.ok
    ? ok({ database: database.value })
    : err(`${named('store')}: ${textOf(en.databaseUrls, database.error)}`)
}
