import { errors } from '../contract/errors.ts'
import { isObject } from '../protocol/json.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { readDocument } from './read-document.ts'
import { type ScenarioWord, scenarioWords, wordNamed } from './scenario-words.ts'

export type ScenarioPhone = { readonly wanted: Readonly<Record<string, unknown>>; readonly line: number }

export type Step = {
  readonly word: ScenarioWord
  readonly input: Readonly<Record<string, unknown>>
  /** The step must be refused with this code. */
  readonly refused?: number
  readonly line: number
}

export type Scenario = {
  readonly name: string
  readonly about: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly profileLine: number
  /** By the short name that the steps use. */
  readonly phones: Readonly<Record<string, ScenarioPhone>>
  readonly steps: readonly Step[]
}

const CODES: ReadonlySet<unknown> = new Set(Object.values(errors).map(({ code }) => code))

const PARTS = ['name', 'about', 'profile', 'phones', 'steps']

/** A scenario as text. Refusals name the line, what was got and what was expected. */
export const parseScenario = (text: string): Result<Scenario, string> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const { value, lineOf } = document.value
  if (!isObject(value)) return err('line 1: a scenario is a mapping with name and steps.')
  const stranger = Object.keys(value).find((key) => !PARTS.includes(key))
  if (stranger !== undefined) {
    return err(`line ${lineOf([stranger]) ?? 1}: "${stranger}" is not known. Known are: ${PARTS.join(', ')}.`)
  }
  if (typeof value.name !== 'string' || value.name === '') return err('line 1: "name" is missing.')
  if (!Array.isArray(value.steps) || value.steps.length === 0) return err('line 1: "steps" is missing or empty.')
  const phones = value.phones ?? {}
  if (!isObject(phones) || !hasRecords(phones)) {
    return err(`line ${lineOf(['phones']) ?? 1}: "phones" is a mapping of short names to phones.`)
  }
  const profile = value.profile ?? {}
  if (!isObject(profile)) return err(`line ${lineOf(['profile']) ?? 1}: "profile" is a mapping of settings.`)
  const steps: Step[] = []
  const messages: string[] = []
  for (const [i, raw] of value.steps.entries()) {
    const line = lineOf(['steps', i]) ?? 1
    const step = parseStep(raw, { line, phones: Object.keys(phones), messages })
    if (!step.ok) return err(`line ${line}: ${step.error}`)
    steps.push(step.value)
    if (step.value.input.as !== undefined) messages.push(String(step.value.input.as))
  }
  return ok({
    name: value.name,
    about: typeof value.about === 'string' ? value.about : '',
    profile,
    profileLine: lineOf(['profile']) ?? 1,
    phones: Object.fromEntries(
      Object.entries(phones).map(([name, wanted]) => [name, { wanted, line: lineOf(['phones', name]) ?? 1 }]),
    ),
    steps,
  })
}

const parseStep = (
  raw: unknown,
  known: { readonly line: number; readonly phones: readonly string[]; readonly messages: readonly string[] },
): Result<Step, string> => {
  if (!isObject(raw)) return err('a step is one word with what belongs to it, such as "scan: {phone: alice}".')
  const { refused, ...rest } = raw
  const [word, ...more] = Object.keys(rest)
  if (word === undefined || more.length > 0) {
    return err(`a step has one word; got ${Object.keys(rest).join(', ') || 'none'}.`)
  }
  if (!isWord(word)) return err(`"${word}" is no word. Known are: ${Object.keys(scenarioWords).join(', ')}.`)
  if (refused !== undefined && !CODES.has(refused)) {
    return err(`"refused" is an error code such as 40403; got ${JSON.stringify(refused)}.`)
  }
  const { required, optional, problem } = wordNamed(word)
  const input = rest[word] ?? {}
  if (!isObject(input)) return err(`"${word}" takes a mapping with ${[...required, ...optional].join(', ')}.`)
  const missing = required.find((key) => input[key] === undefined)
  if (missing !== undefined) return err(`"${word}" needs "${missing}".`)
  const keys: readonly string[] = [...required, ...optional]
  const stranger = keys.includes('*') ? undefined : Object.keys(input).find((key) => !keys.includes(key))
  if (stranger !== undefined) return err(`"${word}" does not know "${stranger}". Known are: ${keys.join(', ')}.`)
  const unknown = unknownName(input, known, required.includes('phone'))
  if (unknown !== undefined) return err(unknown)
  const wrong = problem?.(input)
  if (wrong !== undefined) return err(`"${word}": ${wrong}.`)
  return ok({ word, input, line: known.line, ...(refused === undefined ? {} : { refused: Number(refused) }) })
}

/** Of a phone that the file does not have, or a message that no earlier step names. */
const unknownName = (
  { phone, message }: Readonly<Record<string, unknown>>,
  known: { readonly phones: readonly string[]; readonly messages: readonly string[] },
  needsPhone: boolean,
): string | undefined => {
  const listed = (names: readonly string[]): string => `Known are: ${names.join(', ') || 'none'}.`
  if (needsPhone && !known.phones.includes(String(phone))) {
    return `there is no phone ${JSON.stringify(phone)}. ${listed(known.phones)}`
  }
  if (message !== undefined && !known.messages.includes(String(message))) {
    return `no earlier step names a message ${JSON.stringify(message)} with "as". ${listed(known.messages)}`
  }
  return undefined
}

const isWord = (text: string): text is ScenarioWord => Object.hasOwn(scenarioWords, text)

const hasRecords = (
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, Record<string, unknown>>> => Object.values(value).every(isObject)
