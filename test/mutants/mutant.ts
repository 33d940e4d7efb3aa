/** One mistake in a copy of the project: `find` stands in the file once. */
export type Mutant = {
  readonly what: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** The shipped scenario that must fail with it. */
  readonly caughtBy: string
}

/** A file, and below it what is wrong: the scenario that notices, the lines that go (-) and those that come (+). */
export const readMutants = (text: string): readonly Mutant[] => {
  const mutants: Mutant[] = []
  let file = ''
  for (const [block] of text.matchAll(/^[^\n+-].*(\n[+-].*)*/gm)) {
    const [head = '', ...edits] = block.split('\n')
    const [, what, caughtBy] = /^(.+): (\S+)$/.exec(head) ?? []
    const linesOf = (sign: string) => edits.filter((line) => line.startsWith(sign)).map((line) => line.slice(1))
    if (what === undefined || caughtBy === undefined) file = head
    else mutants.push({ what, file, find: linesOf('-').join('\n'), replace: linesOf('+').join('\n'), caughtBy })
  }
  return mutants
}
