import type { ParityReport, Recording } from '../core/contract/parity-report.ts'
import { profilePart } from '../core/contract/profile-schema.ts'
import { findProblem } from '../core/contract/validate.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { findParity, isRecording } from '../testing/check/parity/parity.ts'
import { playOnOwnBenches } from './check/own-benches.ts'
import { parityText } from './check/parity-text.ts'
import { makeCommand } from './command.ts'
import { misuse, needed, notDone } from './command-end.ts'
import { readOptionFile } from './in-file.ts'
import { openResultsFolder } from './run/results-folder.ts'
import { fitColumn } from './terminal.ts'

export const parity = makeCommand(
  {
    name: 'parity',
    usage: 'FILE [OPTIONS]',
    more: [
      'FILE is what handset check --record wrote. The same cases are played on benches in memory, and what differs is told field by field. Settings that make the bench behave alike are found by trying them, and written to profile.json and conditions.json.',
      'Exit code 0: with those settings nothing differs. 1: something does. 2: something cannot be read. 3: no bench could be started, or a file could not be written. 130: ended by hand.',
    ],
  },
  async ({ options, positionals }, environment) => {
    const { terminal, stop } = environment
    const [file, stranger] = positionals
    if (file === undefined || stranger !== undefined) return misuse('name one file that handset check --record wrote.')
    const recording = readOptionFile('parity', file, readRecording)
    const folder = openResultsFolder(options.out)
    needed(folder.prepare(), notDone)
    const found = await findParity({
      recording,
      play: playOnOwnBenches(recording, environment, Math.max(1, options.parallel)),
      signal: stop,
      onTry: (what) => terminal.status?.(fitColumn(`tries ${what}`, terminal.width - 1).trimEnd()),
    })
      .catch((reason: unknown) => {
        if (stop.aborted) notDone('stopped.')
        throw reason
      })
      .finally(() => terminal.status?.(''))
    const report: ParityReport = { handset: environment.version, base_url: recording.base_url, ...found }
    for (const name of ['profile', 'conditions'] as const)
      needed(folder.write(`${name}.json`, `${JSON.stringify(report[name], undefined, 2)}\n`), notDone)
    terminal.out(options.json === true ? JSON.stringify(report) : parityText(report, folder.path, terminal))
    return report.differences.every(({ removed_by }) => removed_by !== undefined) ? 0 : 1
  },
)

const readRecording = (text: string): Result<Recording, string> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return err('it is no JSON. handset check --record writes what can be compared.')
  }
  if (!isRecording(value)) return err('it is no recording. handset check --record writes one.')
  const problem = findProblem(value.profile, profilePart) ?? findProblem(value.measured, profilePart)
  if (problem !== undefined) return err('its settings are not those of a profile: it was written by another version.')
  return ok(value)
}
