import { parseArgs } from 'node:util'
import { measureAuthentications } from './authentications.ts'
import { compareDurable, type DurableSample } from './durable.ts'
import { measureJudging } from './judging.ts'
import { comparePolling, type Sample } from './polling.ts'
import { compareProxying } from './proxying.ts'
import { SLOWDOWN_WORDS, slowdownOf } from './slowdown.ts'
import { measureStartup } from './startup.ts'
import { median, medianInterval, quantile } from './statistics.ts'
import { head, measured, number, range, row } from './table.ts'

/** The service: polls beside bare HTTP, whole sign-ins on a disk, a full store, the start, the judge. */
export const serviceTables = async (options: {
  readonly quick: boolean
  readonly say: (text: string) => void
}): Promise<string> => {
  const { quick, say } = options
  const rounds = quick ? 2 : 15
  say(`Signed polls beside bare node:http, ${rounds} rounds …`)
  const polling = await comparePolling({ rounds, seconds: quick ? 0.3 : 1.5, connections: 16 })
  const [bare, handset, logging] = (['bare', 'handset', 'logging'] as const).map((name) =>
    polling.map((one) => one[name]),
  ) as [Sample[], Sample[], Sample[]]
  const pollRatio = ratios(logging, bare)
  const pollShare = polling.flatMap(({ bare: { cpuMicros: plain }, logging: { cpuMicros: own } }) =>
    plain === undefined || own === undefined ? [] : [plain / own],
  )

  const size = quick ? { credentials: 10_000, messages: 1_000 } : { credentials: 1_000_000, messages: 100_000 }
  say(`Whole sign-ins on a disk, ${rounds} rounds …`)
  const durable = await compareDurable({ rounds, seconds: quick ? 0.5 : 3, people: PEOPLE, ...size, say })
  const fullRatio = ratios(durable.full, durable.empty)

  say('Sign-ins with the bench’s own phones …')
  const phones = []
  for (const concurrency of [1, 8]) {
    phones.push(await measureAuthentications({ concurrency, seconds: quick ? 0.5 : 10 }))
  }
  say(`Proxies, ${rounds} rounds …`)
  const proxying = await compareProxying({ rounds, seconds: quick ? 0.3 : 1.5 })
  const proxied = (['direct', 'bare', 'handset'] as const).map((name) => proxying.map((one) => one[name]))
  const [direct = [], , ours = []] = proxied
  const added = ours.map(({ p99 }, i) => p99 - (direct[i]?.p99 ?? Number.NaN))
  say('Start and idle memory …')
  const startup = await measureStartup({ runs: quick ? 3 : 15, idleSeconds: quick ? 0.2 : 3 })
  say('The judge …')
  const judging = await measureJudging({ samples: quick ? 50 : 2_000 })

  return [
    ...head('Signed result polls', 'Per second', '95 %', 'Server µs each', 'Server busy', 'Rounds'),
    pollRow('Bare node:http, same request, same answer', bare),
    pollRow('handset serve', handset),
    pollRow('handset serve --verbose', logging),
    '',
    '16 kept connections and 256 different requests, signed beforehand. Events are recorded; `--verbose` also logs each request.',
    `With events and log, Handset answers ${percent(median(pollRatio))} as often as bare node:http (95 %: ${percentRange(pollRatio)}).`,
    ...(pollShare.length === 0
      ? [`The goal is half: ${verdict(median(pollRatio) >= 0.5)}.`]
      : [
          `By processor time, which counts where a server did not have all it could use, it is ${percent(median(pollShare))} (95 %: ${percentRange(pollShare)}); the goal is half: ${verdict(median(pollShare) >= 0.5)}.`,
          'Well below 100 % of “Server busy” the client was the limit.',
        ]),
    '',
    ...head(
      `Whole sign-ins, ${PEOPLE} people`,
      'Per second',
      '95 %',
      'p50',
      'p99',
      'Server µs each',
      'Server busy',
      'Rounds',
    ),
    signInRow('New store', durable.empty),
    signInRow('The same, each answer with its second opinion (`must-agree`)', durable.heard),
    signInRow(`${number(size.credentials)} credentials, ${number(size.messages)} live messages`, durable.full),
    '',
    'A sign-in is four HTTP requests, each committed with `synchronous` FULL before it is answered, and one judgement. Events and log are on.',
    'Under this load most ceremonies get no second opinion, except under `must-agree`: the difference in processor time is what an opinion costs.',
    `The goal is 400 a second: ${verdict(median(durable.empty.map(({ perSecond }) => perSecond)) >= 400)}.`,
    slowdown(fullRatio),
    '',
    ...head('Sign-ins with the bench’s own phones, in memory', 'Per second', 'p50', 'p99', 'Samples'),
    ...phones.map(({ concurrency, perSecond, latencies }) =>
      row(
        `${concurrency} at a time`,
        number(perSecond),
        milliseconds(latencies, 0.5),
        milliseconds(latencies, 0.99),
        number(latencies.length),
      ),
    ),
    '',
    'Service, phones and control interface share one process.',
    '',
    ...head('Polls passed on', 'Per second', '95 %', 'p99, one by one', 'Proxy µs each', 'Proxy busy', 'Rounds'),
    ...['The target itself, bare node:http', 'A bare node:http proxy', '`handset proxy --access-key`'].map(
      (name, i) => {
        const samples = proxied[i] ?? []
        const p99 = `${number(median(samples.map((each) => each.p99)), 2)} ms`
        const [micros = '', busy = '', count = ''] = load(samples)
        return row(name, ...rates(samples), p99, micros, busy, count)
      },
    ),
    '',
    'Each request is verified, signed anew for the target’s host and recorded. Target, proxy and client share the machine.',
    `At p99 it adds ${number(median(added), 2)} ms (95 %: ${range(medianInterval(added), 2)}); the goals are 1 ms (${verdict(median(added) < 1)}) and 2,500 a second on one core (${verdict(1e6 / (microsOf(ours) ?? Number.NaN) >= 2500)}).`,
    '',
    ...head('handset serve', 'Median', '95 %', 'Samples'),
    measured('Start until it accepts requests', startup.startedIn, 'ms'),
    ...(startup.idleMib.length === 0 ? [] : [measured('Idle memory', startup.idleMib, 'MiB')]),
    '',
    `The goals are 1 s (${verdict(median(startup.startedIn) < 1_000)}) and 150 MB (${startup.idleMib.length === 0 ? 'not measured here' : verdict(median(startup.idleMib) < 150e6 / 2 ** 20)}).`,
    '',
    ...head('One ceremony, ES256', 'Median', '95 %', 'Samples'),
    measured('The judge, a registration with self attestation', judging.registration, 'ms', 3),
    measured('The judge, an authentication', judging.authentication, 'ms', 3),
    measured('The second opinion on that registration', judging.secondRegistration, 'ms', 3),
    measured('The second opinion on that authentication', judging.secondAuthentication, 'ms', 3),
    '',
  ].join('\n')
}

const PEOPLE = 16

const ratios = (
  some: readonly { readonly perSecond: number }[],
  others: readonly { readonly perSecond: number }[],
): readonly number[] => some.map(({ perSecond }, i) => perSecond / (others[i]?.perSecond ?? Number.NaN))

const pollRow = (name: string, samples: readonly Sample[]): string => row(name, ...rates(samples), ...load(samples))

const signInRow = (name: string, samples: readonly DurableSample[]): string => {
  const latencies = samples.flatMap((sample) => sample.latencies)
  return row(name, ...rates(samples), milliseconds(latencies, 0.5), milliseconds(latencies, 0.99), ...load(samples))
}

type Loaded = { readonly perSecond: number; readonly cpuMicros: number | undefined; readonly busy: number | undefined }

const rates = (samples: readonly Loaded[]): readonly string[] => {
  const perSecond = samples.map((sample) => sample.perSecond)
  return [number(median(perSecond)), range(medianInterval(perSecond))]
}

const load = (samples: readonly Loaded[]): readonly string[] => {
  const [micros, busy] = [microsOf(samples), known(samples.map((sample) => sample.busy))]
  return [
    micros === undefined ? '–' : number(micros),
    busy === undefined ? '–' : `${number(busy)} %`,
    String(samples.length),
  ]
}

const microsOf = (samples: readonly Loaded[]): number | undefined => known(samples.map(({ cpuMicros }) => cpuMicros))

const known = (values: readonly (number | undefined)[]): number | undefined => {
  const there = values.filter((value) => value !== undefined)
  return there.length === 0 ? undefined : median(there)
}

const milliseconds = (values: readonly number[], q: number): string => `${number(quantile(values, q), 1)} ms`

const percent = (ratio: number): string => `${number(ratio * 100, 1)} %`
const percentRange = (values: readonly number[]): string => {
  const { low, high } = medianInterval(values)
  return `${number(low * 100, 1)} – ${number(high * 100, 1)} %`
}

const slowdown = (rates: readonly number[]): string =>
  `The full store does ${percent(median(rates))} of the new one’s sign-ins (95 %: ${percentRange(rates)}): ${SLOWDOWN_WORDS[slowdownOf({ rates })]}.`

const verdict = (met: boolean): string => (met ? 'met' : '**missed**')

if (import.meta.main) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' } } })
  console.log(await serviceTables({ quick: values.quick === true, say: (text) => console.error(text) }))
}
