export type Line = { readonly kind: 'same' | 'gone' | 'come'; readonly text: string }

/** Longer texts are not compared line by line: they are shown as all gone and all come. */
const MOST_LINES = 1_500

/** How one list of lines becomes another with as few changes as there can be. A changed field follows its old line. */
export const lineDifference = (before: readonly string[], after: readonly string[]): readonly Line[] => {
  if (Math.max(before.length, after.length) > MOST_LINES) {
    return [...before.map((text) => line('gone', text)), ...after.map((text) => line('come', text))]
  }
  const lines = changes(before, after)
  const paired: Line[] = []
  for (let at = 0; at < lines.length; ) {
    const rest = lines.slice(at)
    const end = rest.findIndex(({ kind }) => kind === 'same')
    const run = end < 0 ? rest : rest.slice(0, end)
    paired.push(...pairFields(run), ...rest.slice(run.length, run.length + 1))
    at += run.length + 1
  }
  return paired
}

/** Pairs the old and new line of a field; other old lines are before new ones. */
const pairFields = (run: readonly Line[]): readonly Line[] => {
  const gone = run.filter(({ kind }) => kind === 'gone')
  const come = run.filter(({ kind }) => kind === 'come')
  const fields = come.map(({ text }) => fieldOf(text))
  const paired: Line[] = []
  let next = 0
  for (const old of gone) {
    const field = fieldOf(old.text)
    const at = field === undefined ? -1 : fields.indexOf(field, next)
    if (at < 0) paired.push(old)
    else {
      paired.push(...come.slice(next, at), old, ...come.slice(at, at + 1))
      next = at + 1
    }
  }
  return [...paired, ...come.slice(next)]
}

/** The name before the colon, of a header, a member or a decoded field. */
const fieldOf = (text: string): string | undefined => /^\s*("[^"]*"|[^\s:"]+):/.exec(text)?.[1]

const changes = (before: readonly string[], after: readonly string[]): readonly Line[] => {
  const shared = sharedAfter(before, after)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, young] = [before[i], after[j]]
    if (old !== undefined && old === young) {
      lines.push(line('same', old))
      i++
      j++
    } else if (old !== undefined && (young === undefined || shared(i + 1, j) >= shared(i, j + 1))) {
      lines.push(line('gone', old))
      i++
    } else if (young !== undefined) {
      lines.push(line('come', young))
      j++
    }
  }
  return lines
}

const line = (kind: Line['kind'], text: string): Line => ({ kind, text })

/** How many lines the two have in common from these places on: the longest common subsequence. */
const sharedAfter = (before: readonly string[], after: readonly string[]): ((i: number, j: number) => number) => {
  const width = after.length + 1
  const table = new Uint16Array((before.length + 1) * width)
  const at = (i: number, j: number): number => table[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      table[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  return at
}
