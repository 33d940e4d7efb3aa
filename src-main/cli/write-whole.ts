import { closeSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { openReplacement } from '../disk/owner-only.ts'
import { toSystemRefusal } from '../disk/system-refusal.ts'
import { systemRefusalText } from './problem-texts.ts'

/** YAML comment that points editors to the file's schema, in the package installed in the current folder. */
export const schemaLine = (file: string, schema: 'rp-suite' | 'webauthn-server'): string => {
  const path = relative(dirname(file), `node_modules/handset/docs/${schema}.schema.json`).replaceAll('\\', '/')
  // Editors read the path up to the first space.
  return /\s/.test(path) ? '' : `# yaml-language-server: $schema=${path}\n`
}

/** Writes `draft`, then renames it to `file`, so that the old content survives a full disk. */
export const writeWholeFile = (
  file: string,
  content: string | Uint8Array,
  draft: string = `${file}.new`,
): Result<null, string> => {
  try {
    const opened = openReplacement(draft, 0o666)
    try {
      writeFileSync(opened, content)
    } finally {
      closeSync(opened)
    }
    renameSync(draft, file)
    return ok(null)
  } catch (reason) {
    const problem = toSystemRefusal(reason)
    if (problem === undefined) throw reason
    rmSync(draft, { force: true })
    // The system's error names the draft, or no file if the disk is full.
    const isOfDraft = problem.code === 'file_refused' && (problem.params.file ?? draft) === draft
    return err(systemRefusalText(isOfDraft ? { ...problem, params: { ...problem.params, file } } : problem))
  }
}
