/** Places for mistakes, drawn by a seed and found again in a later state of the project. */
import { parseSync } from 'vite'
import { diceOf } from '../robustness/dice.ts'

/** One line with a mistake. Texts are trimmed: a line that moved or was indented is still found. */
export type Place = {
  readonly id: string
  readonly kind: 'operator' | 'condition' | 'constant' | 'deleted line'
  readonly file: string
  readonly line: number
  readonly text: string
  readonly replacement: string
  /** The columns of the part that the mistake replaces. */
  readonly at: readonly [number, number]
  readonly before: readonly string[]
  readonly after: readonly string[]
}
/** Code by file. */
export type Sources = ReadonlyMap<string, string>

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown }
type Edit = Pick<Node, 'start' | 'end'> & { readonly kind: Place['kind']; readonly put: string }

const SWAPPED: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '&&': '||', '||': '&&', '??': '&&' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '&': '|', '|': '&', '<<': '>>', '>>': '<<', '>>>': '<<' },
}
/** Tables of texts, and examples that the program does not run itself. */
const NOT_CODE = /\.d\.ts$|\/examples\/|\/messages\/(en|zh)\/|\/(texts(-\w+)?|summaries)\.ts$/
export const isDrawnFrom = (file: string): boolean =>
  /^src-(main|renderer)\/.*\.tsx?$/.test(file) && !NOT_CODE.test(file)

const LOGS = /^(console\.\w+|((?!Math)[\w.]+\.)?log(Request|Refused)?)$/
const TYPES_AND_IMPORTS = /^(TS(?!As|Satisfies|NonNull)|Import|ExportAll)/
const DELETED = /^(Expression|Throw|Break|Continue)Statement$/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const childrenOf = (node: Node): readonly Node[] =>
  Object.entries(node).flatMap(([key, value]) => {
    const isSkipped = key === 'typeAnnotation' || key === 'source' || (key === 'key' && node.computed !== true)
    return isSkipped ? [] : [value].flat().filter(isNode)
  })

const isText = (value: unknown): boolean =>
  isNode(value) &&
  (value.type === 'TemplateLiteral' || typeof value.value === 'string' || isText(value.left) || isText(value.right))

/** The same constant, but wrong; undefined for a sentence. */
const otherConstant = (value: unknown, raw: string): string | undefined => {
  if (typeof value === 'boolean') return String(!value)
  // A test of a boundary notices one more; in a long time or a large amount one more is nothing.
  if (typeof value === 'number') return String(Number.isInteger(value) && value <= 1024 ? value + 1 : value * 2)
  return typeof value === 'string' && /^[a-z][\w.-]*$/i.test(value) ? `${raw.slice(0, -1)}_${raw.at(-1)}` : undefined
}

const editsOf = (node: Node, code: string): readonly Edit[] => {
  const of = ({ start, end }: Node): string => code.slice(start, end)
  const edit = (kind: Edit['kind'], { start, end }: Node, put: string): Edit => ({ kind, start, end, put })
  const { type, left, right, test, operator } = node
  if (/^(Binary|Logical)Expression$/.test(type) && isNode(left) && isNode(right)) {
    const swapped = SWAPPED[String(operator)]
    if (swapped === undefined || (operator === '+' && isText(node))) return []
    const between = code.slice(left.end, right.start).replace(String(operator), swapped)
    return [edit('operator', node, `(${of(left)}${between}${of(right)})`)]
  }
  if (/^(If|While|DoWhile|Conditional)/.test(type) && isNode(test) && test.type !== 'Literal') {
    const fixed = type.includes('While') ? [] : ['true', 'false']
    return [`!(${of(test)})`, ...fixed].map((put) => edit('condition', test, put))
  }
  if (type === 'Literal')
    return [otherConstant(node.value, of(node)) ?? []].flat().map((put) => edit('constant', node, put))
  const isDeleted = type === 'ReturnStatement' ? node.argument === null : DELETED.test(type)
  return isDeleted && typeof node.directive !== 'string' ? [edit('deleted line', node, ';')] : []
}

/** Every mistake that can be made within one line. */
export const editsIn = (file: string, code: string): readonly Edit[] => {
  const edits: Edit[] = []
  const isLog = ({ callee }: Node): boolean => isNode(callee) && LOGS.test(code.slice(callee.start, callee.end))
  const visit = (node: Node, statement = -1): void => {
    const { type, value, expression } = node
    if (TYPES_AND_IMPORTS.test(type) || isLog(isNode(expression) ? expression : node)) return
    if (type === 'JSXAttribute' && isNode(value) && value.type === 'Literal') return
    const isStatement = type === 'ExpressionStatement'
    // A parenthesis that begins a statement would join it to the line before.
    if (isStatement || node.start !== statement) edits.push(...editsOf(node, code))
    for (const child of childrenOf(node)) visit(child, isStatement ? node.start : statement)
  }
  visit(parseSync(file, code).program as unknown as Node)
  return edits.filter(({ start, end }) => !code.slice(start, end).includes('\n'))
}

const around = (lines: readonly string[], line: number) => ({
  before: [line - 2, line - 1].map((at) => lines[at]?.trim() ?? ''),
  after: [line + 1, line + 2].map((at) => lines[at]?.trim() ?? ''),
})

/** Each line in which a mistake can be made is as likely as any other, and drawn at most once. */
export const drawPlaces = (sources: Sources, { count, seed }: { count: number; seed: number }): readonly Place[] => {
  const { below } = diceOf(seed)
  const take = <T>(list: T[]): T | undefined => list.splice(below(list.length), 1)[0]
  const all = [...sources]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, code]) => {
      const lineOf = ({ start }: Edit): number => code.slice(0, start).split('\n').length
      return [...Map.groupBy(editsIn(file, code), lineOf)].map(([line, edits]) => ({ file, code, line, edits }))
    })
  const places: Place[] = []
  for (let drawn = take(all); drawn !== undefined && places.length < count; drawn = take(all)) {
    const { file, code, line, edits } = drawn
    const kind = take([...new Set(edits.map((edit) => edit.kind))])
    const edit = take(edits.filter((other) => other.kind === kind))
    const mistaken = edit === undefined ? '' : code.slice(0, edit.start) + edit.put + code.slice(edit.end)
    if (edit === undefined || parseSync(file, mistaken).errors.length > 0) continue
    const lines = code.split('\n')
    const from = code.lastIndexOf('\n', edit.start - 1) + 1 + (lines[line - 1]?.search(/\S/) ?? 0)
    const [text = '', replacement = ''] = [lines, mistaken.split('\n')].map((each) => each[line - 1]?.trim())
    const at = [edit.start - from, edit.end - from] as const
    places.push({
      id: `${places.length + 1}`,
      kind: edit.kind,
      file,
      line,
      text,
      replacement,
      at,
      ...around(lines, line - 1),
    })
  }
  return places
}

/** Where a place is now, in its file or else in another; undefined when it is gone or could be several. */
export const findPlace = (place: Place, sources: Sources, file = place.file) => {
  const foundIn = ([name, code]: readonly [string, string]) => {
    const lines = code.split('\n')
    return lines.flatMap((text, at) => {
      const { before, after } = around(lines, at)
      const same = [...before, ...after].filter((line, nth) => line === [...place.before, ...place.after][nth])
      return text.trim() === place.text ? [{ file: name, line: at + 1, score: same.length }] : []
    })
  }
  const here = foundIn([file, sources.get(file) ?? ''])
  const found = here.length > 0 ? here : [...sources].flatMap(foundIn).filter(({ score }) => score > 0)
  const [best, second] = found.toSorted((a, b) => b.score - a.score)
  return best?.score === second?.score ? undefined : best
}
