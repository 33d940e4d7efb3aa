import { table } from '../docs/markdown.ts'
import type { Mutant } from './mutant.ts'

const EXAMPLES = 'src-main/scenario/examples'

const rowsOf = (mutants: readonly Mutant[]): string[][] =>
  mutants.map(({ what, caughtBy }) => [what, `[${caughtBy.replace('.yaml', '')}](../${EXAMPLES}/${caughtBy})`])

const HEAD = ['what is wrong', 'the scenario that fails']

/** The page about the mistakes that were noticed. */
export const mutantsPage = (service: readonly Mutant[], rp: readonly Mutant[]): string =>
  `<!-- Made by \`npm run mutants\`. -->
# Mutants

Each of these mistakes was put into a copy of the project, and the scenario beside it failed. A mistake that no longer applies fails the
command. The mistakes: [test/mutants](../test/mutants).

## Of the service

${table(HEAD, rowsOf(service))}

## Of a relying party

The [sample RP](../${EXAMPLES}/your-own-rp/sample_rp.py) with one mistake.

${table(HEAD, rowsOf(rp))}
`
