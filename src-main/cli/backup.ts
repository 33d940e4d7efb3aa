import { realClock } from '../bench/harness/clock.ts'
import { mebibytes, writeBackup } from './backup-file.ts'
import { callBench } from './call-bench.ts'
import { failed, makeCommand, misuse } from './command.ts'

/** Longest wait of a command while a large workspace is read and compressed. */
export const COPY_PATIENCE_MS = 120_000

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
    }, COPY_PATIENCE_MS)
    if (!taken.ok) return failed(environment, 'backup', taken.error)
    const { terminal } = environment
    const written = writeBackup(file, {
      format: 'handset-backup',
      version: 1,
      taken_at: realClock.now(),
      workspace,
      ...taken.value,
    })
    if (!written.ok) return failed(environment, 'backup', written.error)
    const result = { file, workspace, bytes: written.value }
    terminal.out(
      options.json === true ? JSON.stringify(result) : `${workspace} is in ${file}, ${mebibytes(written.value)}.`,
    )
    return 0
  },
)
