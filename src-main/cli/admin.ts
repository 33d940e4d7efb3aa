import { resolve } from 'node:path'
import { openStore, readSchemaVersions, type StoredPlace } from '../service/store/open-store.ts'
import { parseStore } from './bench-options.ts'
import { makeCommand } from './command.ts'
import { fail, misuse } from './command-end.ts'
import { QUIET_LOG, terminalLog } from './log.ts'
import type { OptionsOf } from './options.ts'
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
    if (verb === undefined) misuse('what? It does migrate.')
    if (verb !== 'migrate') misuse(`it does migrate, not "${verb}".`)
    if (stranger !== undefined) misuse(`migrate takes no "${stranger}".`)
    const kept = keptBy(options, named)
    const { terminal } = environment
    const before = await readSchemaVersions(kept)
    if (!before.ok) return fail(startProblemText(before.error))
    const { there, known } = before.value
    const print = (migrated: boolean): void =>
      terminal.out(
        options.json === true
          ? JSON.stringify({ version: there, program: known, migrated })
          : [
              `${'database'.padEnd(10)}${'database' in kept ? kept.database.shown : kept.directory}`,
              `${'version'.padEnd(10)}${there === 0 ? '0, nothing is there yet' : there}`,
              `${'program'.padEnd(10)}${known}`,
              there === known ? 'Nothing to do.' : `${migrated ? 'Applied' : 'To apply'}: ${numbers(there, known)}.`,
            ].join('\n'),
      )
    if (there > known)
      fail(`the database has version ${there}; this program knows versions up to ${known}. Use a newer handset.`)
    if (options['dry-run'] === true || there === known) {
      print(false)
      return 0
    }
    const location =
      'database' in kept
        ? ({ kind: 'postgres', database: kept.database } as const)
        : ({ kind: 'directory', path: kept.directory } as const)
    const store = await openStore(location, terminalLog(terminal, QUIET_LOG))
    if (!store.ok) return fail(startProblemText(store.error))
    await store.value.close()
    print(true)
    return 0
  },
)

const numbers = (there: number, known: number): string =>
  Array.from({ length: known - there }, (_, n) => there + n + 1).join(', ')

const keptBy = ({ data, store }: OptionsOf<'admin'>, named: NameOption): StoredPlace => {
  if (store !== undefined) return { database: parseStore(store, named) }
  return data === undefined ? misuse('name what to migrate: --data DIR, or --store URL.') : { directory: resolve(data) }
}
