import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { judgeAuthentication } from '../../src-main/explain/judge-authentication.ts'
import { judgeRegistration } from '../../src-main/explain/judge-registration.ts'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { nodeCrypto } from '../../src-main/service/judge/node-crypto.ts'
import { secondOpinion } from '../../src-main/service/judge/second-opinion.ts'
import { authentication } from '../support/ceremony/authentication.ts'
import { registration } from '../support/ceremony/registration.ts'
import { taken } from '../support/taken.ts'
import { measureAuthentications } from './authentications.ts'
import { cpuMs, residentMib, startChild, startHandset } from './child.ts'
import { compareDurable, type DurableSample } from './durable.ts'
import { load } from './load.ts'
import { comparePolling, type Sample } from './polling.ts'
import {
  head,
  measured,
  median,
  medianInterval,
  number,
  quantile,
  range,
  row,
  SLOWDOWN_WORDS,
  slowdownOf,
} from './statistics.ts'

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
        const [micros = '', busy = '', count = ''] = loadCells(samples)
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

const pollRow = (name: string, samples: readonly Sample[]): string =>
  row(name, ...rates(samples), ...loadCells(samples))

const signInRow = (name: string, samples: readonly DurableSample[]): string => {
  const latencies = samples.flatMap((sample) => sample.latencies)
  return row(
    name,
    ...rates(samples),
    milliseconds(latencies, 0.5),
    milliseconds(latencies, 0.99),
    ...loadCells(samples),
  )
}

type Loaded = { readonly perSecond: number; readonly cpuMicros: number | undefined; readonly busy: number | undefined }

const rates = (samples: readonly Loaded[]): readonly string[] => {
  const perSecond = samples.map((sample) => sample.perSecond)
  return [number(median(perSecond)), range(medianInterval(perSecond))]
}

const loadCells = (samples: readonly Loaded[]): readonly string[] => {
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

type Judging = Readonly<
  Record<'registration' | 'authentication' | 'secondRegistration' | 'secondAuthentication', readonly number[]>
>

/** Our own judge, and the second one on the same ceremonies, in turn. Milliseconds. */
const measureJudging = async ({ samples }: { readonly samples: number }): Promise<Judging> => {
  const made = registration()
  const signed = authentication()
  const wall = Date.now()
  const work = {
    registration: () => judgeRegistration(made, nodeCrypto),
    authentication: () => judgeAuthentication(signed, nodeCrypto),
    secondRegistration: () => secondOpinion(made, { wall }),
    secondAuthentication: () => secondOpinion(signed, { wall }),
  } as const
  const took: Record<keyof Judging, number[]> = {
    registration: [],
    authentication: [],
    secondRegistration: [],
    secondAuthentication: [],
  }
  // The first fifth only warms up.
  for (let i = -Math.ceil(samples / 5); i < samples; i++) {
    for (const name of Object.keys(work) as (keyof Judging)[]) {
      const from = performance.now()
      await work[name]()
      if (i >= 0) took[name].push(performance.now() - from)
    }
  }
  return took
}

type ProxySample = {
  readonly perSecond: number
  /** Processor time of what stands between, for each answer; undefined where the system does not tell, or nothing does. */
  readonly cpuMicros: number | undefined
  readonly busy: number | undefined
  /** Of one request after the other, in milliseconds. */
  readonly p99: number
}

type ProxyRound = { readonly direct: ProxySample; readonly bare: ProxySample; readonly handset: ProxySample }

const KEY = { accessKeyId: 'bench', secretKey: 'a secret of the bench, not of anybody' }
const TARGET = '/fido/rp/attestation/result'

/** Polls as an RP signs them, for the host that it knows. */
const pollsAt = (port: number): readonly Buffer[] =>
  Array.from({ length: 256 }, (_, n) => {
    const target = `${TARGET}?msg_id=message-${n}`
    const host = `127.0.0.1:${port}`
    const { headers } = taken(signRequest({ method: 'GET', host, target, body: new Uint8Array(0) }, KEY, Date.now()))
    return Buffer.from(`GET ${target} HTTP/1.1\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\n\r\n`)
  })

/** One target; directly, through a bare proxy and through `handset proxy`, which verifies, signs again and records each. */
const compareProxying = async ({
  rounds,
  seconds,
}: {
  readonly rounds: number
  readonly seconds: number
}): Promise<readonly ProxyRound[]> => {
  const target = await startChild<{ readonly port: number }>('test/bench/bare-server.mjs', [])
  const { port } = target.ready
  const [bare, handset] = await Promise.all([
    startChild<{ readonly port: number }>('test/bench/bare-proxy.mjs', [String(port)]),
    startChild<{ readonly base_url: string }>('src-main/bin.mjs', [
      ...['proxy', '--target', `http://127.0.0.1:${port}/fido`, '--port', '0', '--json'],
      ...['--access-key', `${KEY.accessKeyId}:${KEY.secretKey}`],
    ]),
  ])
  const ways = {
    direct: { port, pid: undefined },
    bare: { port: bare.ready.port, pid: bare.child.pid },
    handset: { port: Number(new URL(handset.ready.base_url).port), pid: handset.child.pid },
  }
  const measure = async ({
    port,
    pid,
  }: {
    readonly port: number
    readonly pid: number | undefined
  }): Promise<ProxySample> => {
    const requests = pollsAt(port)
    const before = pid === undefined ? undefined : cpuMs(pid)
    const { perSecond, requests: answered, seconds: took } = await load({ port, requests, connections: 16, seconds })
    const after = pid === undefined ? undefined : cpuMs(pid)
    const latencies: number[] = []
    await load({ port, requests, connections: 1, seconds, heard: (ms) => latencies.push(ms) })
    const used = before === undefined || after === undefined ? undefined : after - before
    return {
      perSecond,
      cpuMicros: used === undefined ? undefined : (used * 1000) / answered,
      busy: used === undefined ? undefined : used / (took * 10),
      p99: quantile(latencies, 0.99),
    }
  }
  const names = ['direct', 'bare', 'handset'] as const
  const result: ProxyRound[] = []
  try {
    // The first round only warms up.
    for (let round = -1; round < rounds; round++) {
      const samples: Partial<Record<keyof ProxyRound, ProxySample>> = {}
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(round + 1 + turn) % names.length] ?? 'bare'
        samples[name] = await measure(ways[name])
      }
      if (round >= 0) result.push(samples as ProxyRound)
    }
  } finally {
    await Promise.all([bare.stop(), handset.stop(), target.stop()])
  }
  return result
}

type Startup = { readonly startedIn: readonly number[]; readonly idleMib: readonly number[] }

/** From the start of the process to the line that says it accepts requests; then its memory when left alone. */
const measureStartup = async (options: { readonly runs: number; readonly idleSeconds: number }): Promise<Startup> => {
  const startedIn: number[] = []
  const idleMib: number[] = []
  for (let i = 0; i < options.runs; i++) {
    const handset = await startHandset()
    startedIn.push(handset.startedIn)
    await wait(options.idleSeconds * 1000)
    const resident = residentMib(handset.ready.pid)
    if (resident !== undefined) idleMib.push(resident)
    await handset.stop()
  }
  return { startedIn, idleMib }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' } } })
  console.log(await serviceTables({ quick: values.quick === true, say: (text) => console.error(text) }))
}
