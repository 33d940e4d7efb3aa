import type { RecordingNote } from '../../core/contract/recording-notes.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { textOf } from '../../core/messages/text.ts'
import { isObject } from '../../core/protocol/json.ts'
import { type Line, type RecordedStep, referenceIn, restOf } from './recorded-step.ts'

/** Texts of the comments, in one language. */
export type NoteTexts = Messages['recordingNotes']

export type ScenarioParts = {
  readonly name: string
  /** The comment above it. */
  readonly about: RecordingNote
  readonly profile: Readonly<Record<string, unknown>>
  readonly rps: Readonly<Record<string, unknown>>
  readonly phones: Readonly<Record<string, unknown>>
  readonly setup: readonly Line[]
  readonly steps: readonly Line[]
  readonly texts: NoteTexts
}

/** The file: YAML with one line for a step, as people write it. */
export const writeScenario = ({ name, about, profile, rps, phones, setup, steps, texts }: ScenarioParts): string =>
  [
    comment(textOf(texts, about)),
    `name: ${flow(name)}`,
    ...(Object.keys(profile).length === 0 ? [] : [`profile: ${flow(profile)}`]),
    ...byName('rps', rps),
    ...byName('phones', phones),
    ...(setup.length === 0 ? [] : block('setup', setup, texts)),
    ...block('steps', steps, texts),
    '',
  ].join('\n')

/** Comments alone make no list. */
const block = (head: string, lines: readonly Line[], texts: NoteTexts): readonly string[] => [
  lines.some((line) => 'step' in line) ? `${head}:` : `${head}: []`,
  ...lines.flatMap((line) => ('note' in line ? [`  ${comment(textOf(texts, line.note))}`] : stepLines(line.step))),
]

const byName = (head: string, entries: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(entries).length === 0
    ? []
    : [`${head}:`, ...Object.entries(entries).map(([name, value]) => `  ${flow(name)}: ${flow(value)}`)]

const stepLines = ({ word, input, refused, answer, save }: RecordedStep): readonly string[] => [
  `  - ${word}: ${flow(input)}`,
  ...(refused === undefined ? [] : [`    refused: ${refused}`]),
  ...(answer === undefined ? [] : [`    answer: ${flow(answer)}`]),
  ...(save === undefined ? [] : [`    save: ${flow(save)}`]),
]

/** Recorded text may have line breaks; a comment has one line. */
const comment = (text: string): string => `# ${text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}`

const flow = (value: unknown): string => {
  const variable = referenceIn(value)
  if (variable !== undefined) {
    const rest = restOf(value)
    return rest === '' ? `'\${${variable}}'` : JSON.stringify(`\${${variable}}${plain(rest)}`)
  }
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return entries.length === 0 ? '{}' : `{ ${entries.map(([key, each]) => `${text(key)}: ${flow(each)}`).join(', ')} }`
}

/** Unquoted where YAML reads it as text; else in quotes, which are those of JSON. */
const PLAIN = /^[\p{L}_][\p{L}\p{N}_.’/-]*( [\p{L}\p{N}_.’/-]+)*$/u
const NO_TEXT = /^(true|false|null|yes|no|on|off|y|n)$/i

const text = (value: string): string =>
  PLAIN.test(value) && !NO_TEXT.test(value) ? value : JSON.stringify(plain(value))

/** No variable of the scenario. */
const plain = (value: string): string => value.replaceAll('${', () => '$${')
