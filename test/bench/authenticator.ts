import { parseArgs } from 'node:util'
import {
  AuthenticatorEmulator,
  PasskeysCredentialsMemoryRepository,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  WebAuthnEmulator,
} from 'nid-webauthn-emulator'
import { measureInboxes } from './inboxes.ts'
import { creationOptions, ORIGIN, openPhone, requestOptions } from './one-phone.ts'
import { head, measured, median, number, quantile, row } from './statistics.ts'

type AssertionTimes = {
  readonly assertion: readonly number[]
  readonly bare: readonly number[]
  /** Each one's share of the time that 16 at once take. */
  readonly together: readonly number[]
}

const AT_ONCE = 16

/** The size of what is signed: authenticator data and a hash. */
const SIGNED = new Uint8Array(37 + 32)

/**
 * A phone with many ES256 credentials answers request options as JSON, each time with another credential; in turn with
 * it, node:crypto signs as many bytes with a key that lies ready. Milliseconds.
 */
const measureAssertions = async (options: {
  readonly credentials: number
  readonly samples: number
  readonly seed?: number
}): Promise<AssertionTimes> => {
  const phone = await openPhone(options.seed)
  try {
    const ids: string[] = []
    for (let i = 0; i < options.credentials; i++) ids.push(await phone.create(creationOptions(i)))
    const bareSignature = await phone.bareKey(ids[0] ?? '')
    const assertion: number[] = []
    const bare: number[] = []
    // The first tenth only warms up.
    for (let i = -Math.ceil(options.samples / 10); i < options.samples; i++) {
      const id = ids[(Math.abs(i) * 7919) % ids.length] ?? ''
      const asked = requestOptions(i, id)
      const from = performance.now()
      await phone.get(asked)
      const between = performance.now()
      bareSignature(SIGNED)
      const to = performance.now()
      if (i < 0) continue
      assertion.push(between - from)
      bare.push(to - between)
    }
    const together: number[] = []
    for (let i = 0; i < options.samples; i += AT_ONCE) {
      const from = performance.now()
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, k) =>
          phone.get(requestOptions(i + k, ids[((i + k) * 7919) % ids.length] ?? '')),
        ),
      )
      together.push((performance.now() - from) / AT_ONCE)
    }
    return { assertion, bare, together }
  } finally {
    await phone.close()
  }
}

type EmulatorPairs = {
  readonly credentials: number
  readonly create: { readonly ours: readonly number[]; readonly emulator: readonly number[] }
  readonly get: { readonly ours: readonly number[]; readonly emulator: readonly number[] }
}

/** npm’s nid-webauthn-emulator: ES256 alone, its credentials in memory as by default, but not shared by all of them. */
const openEmulator = (): WebAuthnEmulator =>
  new WebAuthnEmulator(
    new AuthenticatorEmulator({
      algorithmIdentifiers: ['ES256'],
      credentialsRepository: new PasskeysCredentialsMemoryRepository(),
    }),
  )

/** The same options for both, in turn and each as often the first, at a number of credentials held. Milliseconds. */
const compareEmulator = async (options: {
  readonly credentials: number
  readonly samples: number
}): Promise<EmulatorPairs> => {
  const phone = await openPhone()
  const emulator = openEmulator()
  const create = {
    ours: (n: number): Promise<string> => phone.create(creationOptions(n)),
    emulator: async (n: number): Promise<string> =>
      emulator.createJSON(ORIGIN, creationOptions(n) as PublicKeyCredentialCreationOptionsJSON).id,
  }
  const get = {
    ours: (n: number, id: string): Promise<void> => phone.get(requestOptions(n, id)),
    emulator: async (n: number, id: string): Promise<void> =>
      void emulator.getJSON(ORIGIN, requestOptions(n, id) as PublicKeyCredentialRequestOptionsJSON),
  }
  try {
    const ids = { ours: [] as string[], emulator: [] as string[] }
    for (let i = 0; i < options.credentials; i++) {
      ids.ours.push(await create.ours(i))
      ids.emulator.push(await create.emulator(i))
    }
    const pick = (of: readonly string[], i: number): string => of[(i * 7919) % of.length] ?? ''
    const gets = await inTurn(options.samples, {
      ours: (i) => get.ours(i, pick(ids.ours, i)),
      emulator: (i) => get.emulator(i, pick(ids.emulator, i)),
    })
    // Last, since each makes the heap grow by one.
    const creates = await inTurn(options.samples, {
      ours: (i) => create.ours(options.credentials + i),
      emulator: (i) => create.emulator(options.credentials + i),
    })
    return { credentials: options.credentials, create: creates, get: gets }
  } finally {
    await phone.close()
  }
}

type Work = (i: number) => Promise<unknown>

const inTurn = async (
  samples: number,
  work: { readonly ours: Work; readonly emulator: Work },
): Promise<{ readonly ours: readonly number[]; readonly emulator: readonly number[] }> => {
  const took = { ours: [] as number[], emulator: [] as number[] }
  const WARM = 3
  for (let i = 0; i < samples + WARM; i++) {
    for (const who of i % 2 === 0 ? (['ours', 'emulator'] as const) : (['emulator', 'ours'] as const)) {
      const from = performance.now()
      await work[who](i)
      if (i >= WARM) took[who].push(performance.now() - from)
    }
  }
  return took
}

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
