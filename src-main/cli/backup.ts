import { realClock } from '../bench/harness/clock.ts'
import { formatMebibytes, writeBackup } from './backup-file.ts'
import { callBench } from './call-bench.ts'
import { makeCommand } from './command.ts'
import { misuse } from './command-end.ts'

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
    if (file === undefined) return misuse('it needs a FILE to write.')
    if (stranger !== undefined) misuse(`it takes one FILE; got "${stranger}" as well.`)
    const bench = callBench(options, environment, named)
    const { workspace = bench.workspace } = options
    const taken = await bench.ask(async (client, signal) => {
      const { version } = await client.call('bench.info', { signal })
      const { owner, labels, lease_ms, quota } = await client.call('workspaces.get', {
        params: { id: workspace },
        signal,
      })
      const content = await client.workspace(workspace).call('workspace.export', { signal })
      const about = Object.entries({ owner, labels, lease_ms, quota }).filter(([, value]) => value !== undefined)
      return { handset: version, content, about: Object.fromEntries(about) }
    }, BACKUP_TIMEOUT_MS)
    const about = { format: 'handset-backup', version: 1, taken_at: realClock.now(), workspace } as const
    const bytes = writeBackup(file, { ...about, ...taken })
    const result = { file, workspace, bytes }
    environment.terminal.out(
      options.json === true ? JSON.stringify(result) : `${workspace} is in ${file}, ${formatMebibytes(bytes)}.`,
    )
    return 0
  },
)
