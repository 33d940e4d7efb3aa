import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { FailureWord } from '../../../src-main/core/contract/judge/failure-words.ts'
import { OPINION_GIVERS } from '../../../src-main/core/contract/judge/opinion.ts'
import { causeOf, causeTitles } from './causes.ts'
import { type Comparison, compareMany, tally } from './compare.ts'

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const OUTCOMES = {
  'both accept': 'Both accept',
  'both refuse': 'Both refuse',
  'we refuse': 'The judge refuses, the library accepts',
  'it refuses': 'The library refuses, the judge accepts',
  'not asked': 'The judge refuses by a rule the library has no parameter for',
  'nothing to verify': 'The judge refuses before there is a signature to verify',
  'not heard': 'The judge accepts, and there is no signature to verify',
} as const satisfies Record<Comparison['outcome'], string>

const number = (value: number): string => value.toLocaleString('en')

/** Who gave the opinion, for each value of a property. */
const byGiver = (title: string, comparisons: readonly Comparison[], of: (one: Comparison) => string): string => {
  const names = [...new Set(comparisons.map(of))].sort()
  const count = (name: string, such: (one: Comparison) => boolean): string =>
    number(comparisons.filter((one) => of(one) === name && such(one)).length)
  return table(
    [title, ...OPINION_GIVERS, 'none', 'refused what the judge accepts'],
    names.map((name) => [
      name,
      ...OPINION_GIVERS.map((giver) => count(name, ({ by }) => by === giver)),
      count(name, ({ by }) => by === undefined),
      count(name, ({ outcome }) => outcome === 'it refuses'),
    ]),
  )
}

/** docs/second-opinion.md: who gave the opinions of a run, and where they differ, by cause. */
export const reportOf = (comparisons: readonly Comparison[], seed: number): string => {
  const count = (outcome: Comparison['outcome']) => comparisons.filter((one) => one.outcome === outcome).length
  const words = [...tally(comparisons, 'we refuse')] as readonly (readonly [FailureWord, number])[]
  const refusals = [...tally(comparisons, 'it refuses')]
  const unheard = [...tally(comparisons, 'not heard')]
  return `# The second opinion

<!-- Made by \`npm run second-opinion\`; run it again instead of editing. -->

The judge (\`src-main/core/judge\`) and another library judged the same ${number(comparisons.length)} ceremonies (seed ${seed}). Each was good until
one thing was changed: client data, flags, authenticator data, CBOR, keys, statements, certificates, chains, signatures, the JSON around
them, or single octets.

@simplewebauthn/server judges the whole ceremony. What it cannot be asked, @peculiar/webcrypto verifies: the judge's steps with every hash,
key and signature by that library. It imports keys by itself and leaves the mathematics to Node's OpenSSL, by which the judge calculates as
well. So @noble/curves and @noble/post-quantum, which calculate by themselves, verify each of these signatures too, but RSA's. The table
names them where they did for every signature. One refusal is enough.

${table(
  ['outcome', 'ceremonies'],
  (Object.keys(OUTCOMES) as Comparison['outcome'][]).map((outcome) => [OUTCOMES[outcome], number(count(outcome))]),
)}

## Who gave the opinion

${byGiver('algorithm', comparisons, ({ algorithm }) => algorithm)}

${unheard.length === 0 ? '' : `Accepted without an opinion: ${unheard.map(([why, n]) => `${number(n)} × “${why}”`).join(', ')}\n\n`}## The library refuses, the judge accepts

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
      `- ${title} (${number(rows.reduce((sum, [, n]) => sum + n, 0))}): ${rows.map(([word]) => `\`${word}\``).join(', ')}.`,
  )
  .join('\n')}
`
}

/** npm run second-opinion; without --write FILE it goes to standard output. */
if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      write: { type: 'string' },
    },
  })
  const [count, seed] = [Number(values.count), Number(values.seed)]
  const comparisons = await compareMany(count, seed)
  const page = reportOf(comparisons, seed)
  if (values.write === undefined) process.stdout.write(page)
  else writeFileSync(values.write, page)
  const refused = comparisons.filter(({ outcome }) => outcome === 'it refuses')
  for (const { index, kind, cause } of refused) console.error(`ceremony ${index} (${kind}): ${cause}`)
  process.exitCode = refused.length === 0 ? 0 : 1
}
