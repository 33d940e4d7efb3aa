import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { workspaceAbout } from '../core/contract/control/workspace-about.ts'
import { constant, dictionary, millis, object, text, type ValueOf } from '../core/contract/schema.ts'
import { findProblem } from '../core/contract/validate.ts'
import { LARGEST_IMPORT } from '../core/contract/workspace-document.ts'
import { en } from '../core/messages/en/en.ts'
import { textOf } from '../core/protocol/coded.ts'
import { writeOwnerOnly } from '../disk/owner-only.ts'
import { type End, fail } from './command-end.ts'

/** A workspace as a file: JSON compressed with gzip. It contains secrets. */
const backup = object({
  format: constant('handset-backup'),
  version: constant(1),
  taken_at: millis(),
  handset: text('The version that made it.'),
  workspace: text(),
  about: workspaceAbout,
  /** The document that the control interface exports and imports. */
  content: dictionary(),
})

export type Backup = ValueOf<typeof backup>

/** Writes the whole file or nothing; only its owner can read it. */
export const writeBackup = (file: string, wanted: Backup): number => {
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
  const problem = findProblem(value, backup)
  return problem === undefined ? (value as Backup) : refuse(textOf(en.reasons, problem))
}

export const formatMebibytes = (bytes: number): string => `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MiB`
