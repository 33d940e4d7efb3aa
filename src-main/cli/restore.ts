import { formatRfc3339 } from '../core/protocol/time.ts'
import { BACKUP_TIMEOUT_MS, readBackup } from './backup.ts'
import { makeCommand } from './command.ts'
import { fail, misuse } from './command-end.ts'
import { openBenchClient } from './find-bench.ts'

export const restore = makeCommand(
  {
    name: 'restore',
    usage: 'FILE [OPTIONS]',
    more: [
      'All of it or nothing. A workspace that is there already is only replaced with --replace; its snapshots stay.',
    ],
  },
  async ({ options, positionals: [file, stranger], named }, environment) => {
    if (file === undefined) return misuse('it needs the FILE that handset backup wrote.')
    if (stranger !== undefined) misuse(`it takes one FILE; got "${stranger}" as well.`)
    const backup = readBackup(file)
    const bench = openBenchClient({ options, named }, environment)
    const { workspace = backup.workspace, replace } = options
    const { workspaces } = await bench.ask((client, signal) => client.call('workspaces.list', { signal }))
    const exists = workspaces.some(({ id }) => id === workspace)
    if (exists && replace !== true)
      fail(`the workspace ${workspace} is there already. Replace it with --replace, or name another with --workspace.`)
    const { taken_at, about, content: body } = backup
    await bench.ask(async (client, signal) => {
      if (!exists) await client.call('workspaces.create', { body: { ...about, id: workspace, rp: 'none' }, signal })
      try {
        await client.workspace(workspace).call('workspace.import', { body, signal })
      } catch (reason) {
        if (!exists) await client.call('workspaces.close', { params: { id: workspace } })
        throw reason
      }
    }, BACKUP_TIMEOUT_MS)
    environment.terminal.out(
      options.json === true
        ? JSON.stringify({ workspace, taken_at, replaced: exists })
        : `${workspace} is as it was at ${formatRfc3339(taken_at)}.`,
    )
    return 0
  },
)
