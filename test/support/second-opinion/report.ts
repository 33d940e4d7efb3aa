import type { FailureWord } from '../../../src-main/contract/judge/failure-words.ts'
import { en } from '../../../src-main/messages/en/en.ts'
import { causeOf, causeTitles } from './causes.ts'
import { type Comparison, tally } from './compare.ts'

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const OUTCOMES = {
  'both accept': 'Both accept',
  'both refuse': 'Both refuse',
  'we refuse': 'The judge refuses, the library accepts',
  'it refuses': 'The library refuses, the judge accepts',
  'not asked': 'The judge refuses by a rule the library has no parameter for',
  'not heard': 'The library was not asked: beyond its means',
} as const satisfies Record<Comparison['outcome'], string>

/** docs/second-opinion.md: what a run found, by cause. */
export const reportOf = (comparisons: readonly Comparison[], seed: number): string => {
  const count = (outcome: Comparison['outcome']) => comparisons.filter((one) => one.outcome === outcome).length
  const words = [...tally(comparisons, 'we refuse')] as readonly (readonly [FailureWord, number])[]
  const refusals = [...tally(comparisons, 'it refuses')]
  return `# The second opinion

<!-- Made by \`npm run second-opinion\`; run it again instead of editing. -->

The judge (\`src-main/explain\`) and @simplewebauthn/server judged the same ${comparisons.length} ceremonies (seed ${seed}).
Each was good until one thing was changed: client data, flags, authenticator data, CBOR, keys, statements, certificates,
chains, signatures, the JSON around them, or single octets.

${table(
  ['outcome', 'ceremonies'],
  (Object.keys(OUTCOMES) as Comparison['outcome'][]).map((outcome) => [OUTCOMES[outcome], String(count(outcome))]),
)}

## The library refuses, the judge accepts

${
  refusals.length === 0
    ? 'None.'
    : table(
        ['ceremonies', 'reason'],
        refusals.map(([reason, n]) => [String(n), reason]),
      )
}

## The judge refuses, the library accepts

${causeTitles
  .map((title) => ({ title, rows: words.filter(([word]) => causeOf(word) === title) }))
  .filter(({ rows }) => rows.length > 0)
  .map(
    ({ title, rows }) =>
      `### ${title}\n\n${table(
        ['ceremonies', 'word', 'meaning'],
        rows.map(([word, n]) => [String(n), `\`${word}\``, en.failures[word]]),
      )}`,
  )
  .join('\n\n')}

## The library was not asked

${table(
  ['ceremonies', 'why'],
  [...tally(comparisons, 'not heard')].map(([why, n]) => [String(n), why]),
)}
`
}
