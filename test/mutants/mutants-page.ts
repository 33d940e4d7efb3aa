import type { Mutant } from './mutant.ts'

const EXAMPLES = 'src-main/scenario/examples'

/** The mistakes below the scenario that notices them. */
const listOf = (mutants: readonly Mutant[]): string =>
  [...new Set(mutants.map(({ caughtBy }) => caughtBy))]
    .map((file) => {
      const mistakes = mutants.filter(({ caughtBy }) => caughtBy === file).map(({ what }) => what)
      return `- [${file.replace('.yaml', '')}](../${EXAMPLES}/${file}): ${mistakes.join('; ')}`
    })
    .join('\n')

/** The page about the mistakes that were noticed. */
export const mutantsPage = (service: readonly Mutant[], rp: readonly Mutant[]): string =>
  `<!-- Made by \`npm run mutants\`. -->
# Mutants

Each of these mistakes, put into a copy of the project, makes the scenario before it fail. A mistake that no longer applies fails the
command. The mistakes: [test/mutants](../test/mutants).

## Of the service

${listOf(service)}

## Of a relying party

The [sample RP](../${EXAMPLES}/your-own-rp/sample_rp.py) with one mistake.

${listOf(rp)}
`
