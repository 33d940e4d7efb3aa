import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { realClock } from '../bench/harness/clock.ts'
import { workspaceAbout } from '../core/contract/control/workspace-about.ts'
import { constant, dictionary, millis, object, text, type ValueOf } from '../core/contract/schema.ts'
import { findProblem } from '../core/contract/validate.ts'
import { LARGEST_IMPORT } from '../core/contract/workspace-document.ts'
import { en } from '../core/messages/en/en.ts'
import { textOf } from '../core/protocol/coded.ts'
import { writeOwnerOnly } from '../disk/owner-only.ts'
import { makeCommand } from './command.ts'
import { type End, fail, misuse } from './command-end.ts'
import { openBenchClient } from './find-bench.ts'

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
    const bench = openBenchClient({ options, named }, environment)
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

/** A workspace as a file: JSON compressed with gzip. It contains secrets. */
const backupFile = object({
  format: constant('handset-backup'),
  version: constant(1),
  taken_at: millis(),
  handset: text('The version that made it.'),
  workspace: text(),
  about: workspaceAbout,
  /** The document that the control interface exports and imports. */
  content: dictionary(),
})

type Backup = ValueOf<typeof backupFile>

/** Writes the whole file or nothing; only its owner can read it. */
const writeBackup = (file: string, wanted: Backup): number => {
  const json = JSON.stringify(wanted)
  const bytes = Buffer.byteLength(JSON.stringify(wanted.content))
  if (bytes > LARGEST_IMPORT)
    fail(
      `the workspace ${wanted.workspace} is ${formatMebibytes(bytes)}, and a restore takes at most ${formatMebibytes(LARGEST_IMPORT)}. Copy the data directory, or the database by its own tools.`,
    )
  const packed = gzipSync(json)
  writeOwnerOnly(file, packed)
  return packed.length
}

export const readBackup = (file: string): Backup => {
  const packed = readFileSync(file)
  const refuse: End = (why) => fail(`${file} is no backup: ${why}`)
  let value: unknown
  try {
    value = JSON.parse(gunzipSync(packed, { maxOutputLength: 2 * LARGEST_IMPORT }).toString('utf8'))
  } catch (reason) {
    refuse(reason instanceof SyntaxError ? 'what is in it is no JSON.' : 'it is not packed with gzip, or damaged.')
  }
  const problem = findProblem(value, backupFile)
  return problem === undefined ? (value as Backup) : refuse(textOf(en.reasons, problem))
}

const formatMebibytes = (bytes: number): string => `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MiB`
