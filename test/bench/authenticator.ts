import { parseArgs } from 'node:util'
import { measureAssertions } from './assertions.ts'
import { compareEmulator } from './emulator.ts'
import { measureInboxes } from './inboxes.ts'
import { median, quantile } from './statistics.ts'
import { head, measured, number, row } from './table.ts'

/** The phones: how fast they sign, beside what others do, and how many may listen. */
export const authenticatorTables = async (options: {
  readonly quick: boolean
  readonly say: (text: string) => void
}): Promise<string> => {
  const { quick, say } = options
  const credentials = quick ? 200 : 10_000
  say(`Assertions of a phone with ${credentials} credentials …`)
  const drawn = await measureAssertions({ credentials, samples: quick ? 50 : 3_000 })
  const seeded = await measureAssertions({ credentials: quick ? 10 : 1_000, samples: quick ? 50 : 1_000, seed: 1 })
  const emulated = []
  // Its time grows with the square of what it holds: a larger one would only take hours.
  for (const held of quick ? [1, 20] : [1, 200, 1_000]) {
    say(`nid-webauthn-emulator and a phone, ${held} credentials each …`)
    emulated.push(await compareEmulator({ credentials: held, samples: quick ? 5 : 51 }))
  }
  const phones = quick ? 25 : 1_000
  say(`${phones} phones with open inboxes …`)
  const inboxes = await measureInboxes({ phones })

  const ratios = drawn.assertion.map((ms, i) => ms / (drawn.bare[i] ?? Number.NaN))
  return [
    ...head('One phone', 'Median', '95 %', 'Samples'),
    measured(`Assertion (ES256), one of ${number(credentials)} credentials`, drawn.assertion, 'ms', 3),
    measured('The same, 16 asked at once: the share of each', drawn.together, 'ms', 3),
    measured('Bare node:crypto signature, in turn with it', drawn.bare, 'ms', 3),
    measured('Ratio of each pair', ratios, '×', 1),
    measured('Assertion under a seed, whose signatures repeat', seeded.assertion, 'ms', 3),
    '',
    'An assertion turns JSON options into a JSON response and keeps the counter on disk; each uses another credential.',
    `The goal is a median below 1 ms: ${verdict(median(drawn.assertion) < 1)}.`,
    '',
    ...head('Credentials held', 'Handset create', 'emulator create', 'Handset get', 'emulator get', 'Samples'),
    ...emulated.map(({ credentials: held, create, get }) =>
      row(
        number(held),
        ...[create.ours, create.emulator, get.ours, get.emulator].map((ms) => `${number(median(ms), 2)} ms`),
        String(get.ours.length),
      ),
    ),
    '',
    'Medians with the same options in one process. The emulator, nid-webauthn-emulator of npm, has its credentials in memory, Handset on disk.',
    '',
    ...head(`${number(phones)} phones with open inboxes`, 'p50', 'p99', 'Longest', 'Processor time of one', 'Pushes'),
    ...(
      [
        ['Pushes, 8 at a time', 'steady'],
        ['A push to each in one instant', 'atOnce'],
      ] as const
    ).map(([name, kind]) =>
      row(
        name,
        ...[0.5, 0.99, 1].map((q) => `${number(quantile(inboxes[kind], q), 1)} ms`),
        inboxes.cpuPerPush[kind] === undefined ? '' : `${number(inboxes.cpuPerPush[kind], 2)} ms`,
        String(inboxes[kind].length),
      ),
    ),
    '',
    'From the RP’s signed call to the event that the phone shows it.',
    `The goal is 1 s for each: ${verdict(quantile([...inboxes.steady, ...inboxes.atOnce], 1) < 1_000)}.`,
    ...(inboxes.mibPerPhone === undefined
      ? []
      : [`An open inbox takes ${number(inboxes.mibPerPhone * 1024)} KiB of memory, the service’s side included.`]),
    '',
  ].join('\n')
}

const verdict = (met: boolean): string => (met ? 'met' : '**missed**')

if (import.meta.main) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' } } })
  console.log(await authenticatorTables({ quick: values.quick === true, say: (text) => console.error(text) }))
}
