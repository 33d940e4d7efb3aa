import { realClock } from '../bench/harness/clock.ts'
import { formatMebibytes, writeBackup } from './backup-file.ts'
import { callBench } from './call-bench.ts'
import { fail, makeCommand, misuse } from './command.ts'

/** Longest wait of a command while a large workspace is read and compressed. */
export const BACKUP_TIMEOUT_MS = 120_000

export const backup = makeCommand(
  {
    name: 'backup',
    usage: 'FILE [OPTIONS]',
    more: [
      'Everything but its events and snapshots: RPs, keys, settings, messages, credentials, accounts, phones and their keys, clock.',
      'The file holds secrets, and only its owner may read it. handset restore puts it back, also on another bench and store.',
    ],
  },
  async ({ options, positionals: [file, stranger], named }, environment) => {
    if (file === undefined) return misuse(environment, 'backup', 'it needs a FILE to write.')
    if (stranger !== undefined) return misuse(environment, 'backup', `it takes one FILE; got "${stranger}" as well.`)
    const bench = callBench('backup', options, { environment, named })
    if (typeof bench === 'number') return bench
    const { workspace = bench.workspace } = options
    const taken = await bench.try(async (client, signal) => {
      const { version } = await client.call('bench.info', { signal })
      const { owner, labels, lease_ms, quota } = await client.call('workspaces.get', {
        params: { id: workspace },
        signal,
      })
      const content = await client.workspace(workspace).call('workspace.export', { signal })
      const about = Object.entries({ owner, labels, lease_ms, quota }).filter(([, value]) => value !== undefined)
      return { handset: version, content, about: Object.fromEntries(about) }
    }, BACKUP_TIMEOUT_MS)
    if (!taken.ok) return fail(environment, 'backup', taken.error)
    const { terminal } = environment
    const written = writeBackup(file, {
      format: 'handset-backup',
      version: 1,
      taken_at: realClock.now(),
      workspace,
      ...taken.value,
    })
    if (!written.ok) return fail(environment, 'backup', written.error)
    const result = { file, workspace, bytes: written.value }
    terminal.out(
      options.json === true ? JSON.stringify(result) : `${workspace} is in ${file}, ${formatMebibytes(written.value)}.`,
    )
    return 0
  },
)
