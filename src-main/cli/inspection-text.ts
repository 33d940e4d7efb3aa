import type { FactValue } from '../core/contract/inspection.ts'
import type { Evidence } from '../core/contract/judge/evidence.ts'
import { en } from '../core/messages/en/en.ts'
import { inspectionMeaning, inspectionTitle, unreadText } from '../core/messages/inspection-text.ts'
import { textOf } from '../core/messages/text.ts'
import { toBase64url } from '../core/protocol/bytes.ts'
import type { Check, Inspection } from '../views/inspect/inspection.ts'
import type { DecodedPart } from '../views/inspect/parts.ts'
import { onOneLine, type Paint, paintFor, type Terminal } from './terminal.ts'

/** Everything, with bytes as base64url and facts as the text output has them. */
export const inspectionJson = (found: Inspection): string =>
  JSON.stringify(withFactTexts(found), (_, value) => (value instanceof Uint8Array ? toBase64url(value) : value))

const withFactTexts = (found: Inspection): Inspection => ({
  ...found,
  facts: found.facts.map(([name, value]) => [name, factText(value)]),
  within: found.within.map(withFactTexts),
})

export const inspectionText = (found: Inspection, terminal: Terminal): string =>
  linesOf(found, paintFor(terminal), terminal.width).join('\n')

const linesOf = (found: Inspection, paint: Paint, width: number): readonly string[] => {
  const { bold, dim, red, green } = paint
  const { verdict, checks, missing } = found
  const bad = checks.filter(({ outcome }) => outcome === 'failed')
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length
  const unread = unreadText(en, found.kind)
  return [
    `${bold(inspectionTitle(en, found.kind))}${found.written.length === 0 ? '' : dim(`  ${found.written.join(', ')}`)}`,
    ...(verdict === undefined ? [] : [verdict === 'verified' ? green('verified') : red('refused')]),
    ...bad.flatMap((check) => [`  ${red('✗')} ${nameOf(check)}`, ...evidenceLines(check, dim)]),
    ...(passed === 0 ? [] : [dim(`  ${passed} of ${checks.length} checks passed`)]),
    ...(found.facts.length === 0 ? [] : ['']),
    ...found.facts.flatMap(([name, value]) => factLines(name, value, { dim, width })),
    ...found.parts.flatMap((part) => ['', ...partLines(part, { dim, bold, width })]),
    ...(missing.length === 0
      ? []
      : ['', 'For a verdict it needs:', ...missing.map((wanted) => `  ${en.inspectionWants[wanted]}`)]),
    ...found.within.flatMap((inner) => ['', ...linesOf(inner, paint, width)]),
    ...meaningOf(found),
    ...(unread === undefined ? [] : ['', unread]),
    ...(NEXT[found.kind] === undefined ? [] : ['', NEXT[found.kind] ?? '']),
  ]
}

/** A code or a name in its own words, with what to do. */
const meaningOf = ({ kind, facts }: Inspection): readonly string[] => {
  const name = factText(facts.find(([fact]) => fact === 'name')?.[1] ?? '')
  const meaning = inspectionMeaning(en, { kind, name })
  return meaning === undefined ? [] : ['', meaning]
}

/** What shows more of it. */
const NEXT: Partial<Readonly<Record<Inspection['kind'], string>>> = {
  trace: 'handset show FILE lists its events.',
  scenario: 'handset run FILE plays it.',
  'check-recording': 'handset parity FILE compares it with the bench.',
}

const nameOf = ({ name, word }: Check): string => {
  const titles: Readonly<Record<string, string>> = { ...en.steps, ...en.inspectionChecks, ...en.signingMistakes }
  const title = Object.hasOwn(titles, name) ? titles[name] : undefined
  const why = textOf(en.failures, { code: word ?? name })
  const step = /^7\.\d/.test(name) ? `${name} ` : ''
  if (title === undefined) return why
  return `${step}${title}${word === undefined || why === word ? '' : `: ${why}`}`
}

const evidenceLines = ({ expected, received }: Check, dim: Paint['dim']): readonly string[] => [
  ...(expected === undefined ? [] : [`      ${dim('expected')} ${shown(expected)}`]),
  ...(received === undefined ? [] : [`      ${dim('received')} ${shown(received)}`]),
]

const shown = (evidence: Evidence): string =>
  onOneLine(typeof evidence === 'string' ? evidence : textOf(en.evidence, evidence))

type Look = Pick<Paint, 'dim'> & { readonly width: number }

const factText = (told: FactValue): string => (typeof told === 'string' ? told : textOf(en.inspectionWords, told))

const NAME_WIDTH = 22

const factLines = (name: string, told: FactValue, { dim, width }: Look): readonly string[] => {
  const value = factText(told)
  if (value.includes('\n')) return [`  ${dim(name)}`, ...value.split('\n').map((line) => `    ${onOneLine(line)}`)]
  return [`  ${dim(name.padEnd(NAME_WIDTH))} ${cut(onOneLine(value), width - NAME_WIDTH - 3)}`]
}

const cut = (text: string, width: number): string =>
  text.length > width && width > 20 ? `${text.slice(0, width - 1)}…` : text

/** Each field with the bytes in which it stands. */
const partLines = (part: DecodedPart<string>, { dim, bold, width }: Look & Pick<Paint, 'bold'>): readonly string[] => [
  `${bold(part.name)} ${dim(`${part.bytes.length} bytes`)}`,
  ...part.nodes.map(({ depth, name, value, note, flags, start, end }) => {
    const set = flags?.filter((flag) => flag.set).map((flag) => flag.name) ?? []
    const said = [value, ...(set.length === 0 ? [] : [`(${set.join(' ')})`])].filter((text) => text !== '').join(' ')
    const indent = '  '.repeat(depth + 1)
    const place = `${start}–${end}`.padStart(9)
    const head = `${dim(place)} ${indent}${name}`
    const room = width - 10 - indent.length - name.length - 4
    return `${head}  ${cut(onOneLine(said), room)}${note === undefined || note === '' ? '' : dim(`  ${note}`)}`
  }),
]
