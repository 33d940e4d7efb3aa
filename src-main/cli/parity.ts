import { join } from 'node:path'
import { realClock } from '../bench/harness/clock.ts'
import { createRandom } from '../bench/harness/random.ts'
import { DIFFERENCE_KINDS, type Difference, type ParityReport, type Recording } from '../core/contract/parity-report.ts'
import { defaultProfile } from '../core/contract/profile.ts'
import { profilePart } from '../core/contract/profile-schema.ts'
import { isRpId, isRpOrigin } from '../core/contract/rp-identity.ts'
import { findProblem } from '../core/contract/validate.ts'
import { isObject, parseJsonOrNothing } from '../core/protocol/json.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { findParity, isRecording, type PlayCases } from '../testing/check/parity/parity.ts'
import { runCheck } from '../testing/check/run-check.ts'
import { reportedCase } from '../testing/check/told-case.ts'
import { type Environment, makeCommand } from './command.ts'
import { misuse, needed, notDone } from './command-end.ts'
import { readOptionFile } from './in-file.ts'
import { startOwnBench } from './own-bench.ts'
import { jsonFile, openResultsFolder } from './run/results-folder.ts'
import { fitColumn, type Paint, paintFor, type Terminal, toOneLine } from './terminal.ts'

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
    for (const name of SETTINGS) needed(folder.write(`${name}.json`, jsonFile(report[name])), notDone)
    terminal.out(options.json === true ? JSON.stringify(report) : parityText(report, folder.path, terminal))
    return report.differences.every(({ removed_by }) => removed_by !== undefined) ? 0 : 1
  },
)

const readRecording = (text: string): Result<Recording, string> => {
  const value = parseJsonOrNothing(text)
  if (value === undefined) return err('it is no JSON. handset check --record writes what can be compared.')
  if (!isRecording(value)) return err('it is no recording. handset check --record writes one.')
  const problem = findProblem(value.profile, profilePart) ?? findProblem(value.measured, profilePart)
  if (problem !== undefined) return err('its settings are not those of a profile: it was written by another version.')
  return ok(value)
}

/** Plays cases on a new bench in memory. The bench has the given profile; the cases expect the recording's. */
const playOnOwnBenches = (recording: Recording, environment: Environment, parallel: number): PlayCases => {
  const random = createRandom().stream('parity', 'parity', 'parity')
  const keys = ['one', 'two'].map((id) => ({ id, secret: Buffer.from(random.bytes(24)).toString('hex') }))
  return async (profile, cases) => {
    const rps = keys.map((key) => ({ ...rpOf(recording), keys: [key] }))
    const bench = await startOwnBench(environment, { seedData: { rps, phones: [], profile } })
    const { baseUrl, appUrl, close } = needed(bench, notDone)
    const [key, otherKey] = keys.map(({ id, secret }) => ({ accessKeyId: id, secretKey: secret }))
    if (key === undefined || otherKey === undefined) throw new Error('a bench needs two keys')
    try {
      const results = await runCheck({
        target: { baseUrl, appUrl, key, otherKey },
        ...{ cases, parallel, slow: false, signal: environment.stop, onResult: () => undefined },
        profile: { ...defaultProfile, ...recording.profile },
        random,
        now: () => realClock.now(),
      })
      const standing = { base_url: baseUrl, app_url: appUrl }
      return { standing, cases: results.map((result) => reportedCase(result, { expected: {}, again: '' })) }
    } finally {
      await close()
    }
  }
}

const USUAL_RP = { name: 'one', rp_id: 'localhost', origins: ['http://localhost'] }

/** The recorded RP, if a phone received it; otherwise the usual one. */
const rpOf = ({ cases }: Recording): typeof USUAL_RP => {
  const bodies = cases.flatMap(({ exchanges }) => exchanges.map(({ response_body }) => response_body))
  return bodies.map(rpIn).find((rp) => rp !== undefined) ?? USUAL_RP
}

const rpIn = (body: string): typeof USUAL_RP | undefined => {
  const envelope = parseJsonOrNothing(body)
  if (!isObject(envelope) || !isObject(envelope.data) || !isObject(envelope.data.rp)) return undefined
  const { id, name, origins } = envelope.data.rp
  if (typeof name !== 'string' || typeof id !== 'string' || !Array.isArray(origins)) return undefined
  return isRpId(id) && origins.length > 0 && origins.every(isRpOrigin) ? { name, rp_id: id, origins } : undefined
}

/** Parts of the report that are files of their own. */
const SETTINGS = ['profile', 'conditions'] as const

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** First the differences that a setting would remove, grouped by setting; then the rest. */
const parityText = (report: ParityReport, folder: string, terminal: Terminal): string => {
  const paint = paintFor(terminal)
  const { differences, compared, left_out, base_url } = report
  const left = differences.filter(({ removed_by }) => removed_by === undefined)
  const bySetting = Map.groupBy(
    differences.filter(({ removed_by }) => removed_by !== undefined),
    ({ removed_by = '' }) => removed_by,
  )
  const parts = [...bySetting].flatMap(([setting, own]) => [
    `${paint.green('removed by')} ${paint.bold(setting)}`,
    ...linesOf(own, paint),
    '',
  ])
  const kept = left.length === 0 ? [] : [paint.red('removed by no setting'), ...linesOf(left, paint), '']
  const found = SETTINGS.filter((name) => Object.keys(report[name]).length > 0)
  const files = found.map((name) => join(folder, `${name}.json`))
  const near = left.length === 0 ? 'answers like' : 'comes as near as its settings let it to'
  return [
    ...parts,
    ...kept,
    `${counted(differences.length, 'difference')} in ${counted(compared, 'case')}, ${differences.length - left.length} removed by settings` +
      (left_out === 0 ? '' : paint.dim(`; ${counted(left_out, 'case')} not compared`)),
    ...(files.length === 0 ? [] : [`With ${files.join(' and ')} the bench ${near} ${base_url}.`]),
  ].join('\n')
}

const MAX_NAMED = 3

const named = (all: readonly string[]): string =>
  all.length > MAX_NAMED ? `${all.slice(0, MAX_NAMED).join(', ')} and ${all.length - MAX_NAMED} more` : all.join(', ')

/** A difference in several places is one entry; sentences are only counted, since each service has different ones. */
const linesOf = (differences: readonly Difference[], paint: Paint): readonly string[] => {
  const sorted = differences.toSorted((a, b) => DIFFERENCE_KINDS.indexOf(a.kind) - DIFFERENCE_KINDS.indexOf(b.kind))
  const words = sorted.filter(({ kind }) => kind === 'words')
  const entries = Map.groupBy(
    sorted.filter(({ kind }) => kind !== 'words'),
    ({ kind, field, theirs, ours }) => JSON.stringify([kind, field, theirs, ours]),
  )
  return [
    ...[...entries.values()].flatMap((own) => entryOf(own, paint)),
    ...(words.length === 0
      ? []
      : [`  words   of ${counted(words.length, 'sentence')}: ${named(words.map(({ where }) => where))}`]),
  ]
}

const entryOf = (own: readonly Difference[], paint: Paint): readonly string[] => {
  const [first] = own
  if (first === undefined) return []
  const { kind, field, theirs, ours } = first
  const places = own.map(({ where }) => where).filter((where) => where !== '')
  const cases = [...new Set(own.flatMap((each) => each.cases))]
  return [
    `  ${kind.padEnd(7)} ${toOneLine([field === kind ? '' : field, named(places)].filter((part) => part !== '').join(', '))}`,
    `          theirs ${toOneLine(theirs)}`,
    `          ours   ${toOneLine(ours)}`,
    ...(cases.length === 0
      ? []
      : [paint.dim(`          ${cases.length === 1 ? cases[0] : `${cases.length} cases, such as ${cases[0]}`}`)]),
  ]
}
