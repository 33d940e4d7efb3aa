import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { monotonicClock, realClock } from '../../bench/harness/clock.ts'
import { createRandom } from '../../bench/harness/random.ts'
import type { LoadReport } from '../../core/contract/load-report.ts'
import { randomBelow } from '../../core/protocol/random.ts'
import { orNothing } from '../../core/protocol/result.ts'
import { createAppClient } from '../../phones/phone/app-client.ts'
import { trustOnly } from '../../sdk/fetch-trusting.ts'
import { createRpClient } from '../../sdk/rp-client.ts'
import { watchClient } from '../../testing/load/client-watch.ts'
import { createLoadPeople, type PreparedPeople } from '../../testing/load/load-people.ts'
import { loadReport } from '../../testing/load/load-report.ts'
import { runLoad } from '../../testing/load/run-load.ts'
import type { Tally } from '../../testing/load/tally.ts'
import { milliseconds, STEP_NAMES } from '../../views/report/load-page.ts'
import type { Environment } from '../command.ts'
import { ifGiven, notDone } from '../command-end.ts'
import type { Terminal } from '../terminal.ts'
import type { LoadSettings } from './settings.ts'
import type { LoadTarget } from './target.ts'

type How = { readonly environment: Environment; readonly quiet: boolean }
type Measured = Promise<LoadReport>

/** At the end, removes the registered users, if the service answers. */
export const measureLoad = async (settings: LoadSettings, target: LoadTarget, how: How): Measured => {
  const people = connectPeople(settings, target, how.environment.stop)
  try {
    return await prepareAndRun(settings, target, { ...how, people })
  } finally {
    const left = target.passing ? 0 : await people.remove(AbortSignal.timeout(REMOVAL_MS))
    if (left > 0)
      how.environment.terminal.error(`handset load: ${left} users with their credentials are still at the service.`)
    people.close()
  }
}

const prepareAndRun = async (
  settings: LoadSettings,
  target: LoadTarget,
  { environment, quiet, people }: How & { readonly people: PreparedPeople },
): Measured => {
  const { terminal, stop, version } = environment
  const show = quiet ? () => undefined : progressLines(terminal)
  const seed = settings.plan.seed ?? randomBelow(createRandom().stream('load', 'load', 'seed'), SEEDS)
  const plan = { ...settings.plan, seed }
  const from = monotonicClock.now()
  const prepared = await people.prepare(plan.users, (made) =>
    show(`  ${made} of ${plan.users} users registered`, made === plan.users),
  )
  const took_ms = Math.round(monotonicClock.now() - from)
  show('', false)
  if (stop.aborted) notDone('stopped.')
  if (!prepared.ok) {
    const { step, code } = prepared.error
    return notDone(`a user could not be registered at ${target.baseUrl}: ${STEP_NAMES[step]}: ${code}.`)
  }
  const rpId = people.rpId() ?? ''
  if (target.rpId !== undefined && rpId !== target.rpId)
    notDone(`the access key belongs to an RP with the RP ID ${rpId}, not ${target.rpId}.`)
  const used = processorSince(target.pid)
  const client = watchClient()
  const began = realClock.now()
  const random = createRandom({ seed })
  const onSecond = (tally: Tally, elapsedMs: number): void =>
    show(`  ${progressText(tally, elapsedMs, plan.durationMs)}`, Math.round(elapsedMs / 1000) % LINE_EACH_S === 0)
  const run = await runLoad({ plan, people, stop, random, time: monotonicClock, onSecond })
  show('', false)
  const { p50, lateP99 } = run.tally.soFar()
  return loadReport({
    ...{ handset: version, plan, connections: settings.connections, run, began, serverMs: used() },
    target: { base_url: target.baseUrl, app_url: target.appUrl, rp_id: rpId, own: target.pid !== undefined },
    prepared: { users: plan.users, took_ms },
    client: client.read({ p99Ms: lateP99, medianMs: p50 }),
  })
}

/** Seeds below this number are short enough to type. */
const SEEDS = 1_000_000_000

const processorSince = (pid: number | undefined): (() => number | undefined) => {
  const before = ifGiven(pid, cpuTimeMs)
  return () => {
    const after = ifGiven(pid, cpuTimeMs)
    return before === undefined || after === undefined ? undefined : after - before
  }
}

const connectPeople = ({ plan, connections }: LoadSettings, target: LoadTarget, stop: AbortSignal): PreparedPeople => {
  const { baseUrl, appUrl, accessKeyId, secretKey, ca } = target
  const size = { maxSockets: connections, maxFreeSockets: connections }
  const tls = ca === undefined ? {} : trustOnly(ca)
  const agentFor = (url: string): Agent =>
    url.startsWith('https:')
      ? new TlsAgent({ keepAlive: true, ...size, ...tls })
      : new Agent({ keepAlive: true, ...size })
  const agent = agentFor(baseUrl)
  const rp = createRpClient({ baseUrl, accessKeyId, secretKey, agent, now: realClock.now, timeoutMs: PATIENCE_MS })
  const random = createRandom()
  const source = random.stream('load', 'people', 'keys')
  return createLoadPeople({
    // The agent is shared, and its owner closes it.
    rp: { ...rp, close: () => agent.destroy() },
    client: createAppClient(realClock, appUrl.startsWith('https:') ? tls : undefined, { size }),
    appUrl,
    push: plan.push,
    removes: !target.passing,
    prefix: `load-${randomBelow(source, SEEDS)}`,
    random: source,
    ...{ time: monotonicClock, wall: realClock, stop },
  })
}

/** Equal to the time that a phone waits for an answer. */
const PATIENCE_MS = 15_000
const REMOVAL_MS = 30_000

const LINE_EACH_S = 10

/** Shows a line below the output. Without a place for such a line, prints only the `rare` lines. */
const progressLines =
  ({ status, out }: Terminal) =>
  (line: string, rare: boolean): void => {
    if (status !== undefined) status(line)
    else if (rare) out(line)
  }

const progressText = (tally: Tally, elapsedMs: number, durationMs: number): string => {
  const { arrived, done, failed, dropped } = tally.counts()
  const { p50, p99 } = tally.soFar()
  const underWay = arrived - done - failed - dropped
  return [
    `${Math.round(elapsedMs / 1000)} of ${Math.round(durationMs / 1000)} s`.padEnd(12),
    `${done} done`,
    ...(underWay > 0 ? [`${underWay} under way`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(dropped > 0 ? [`${dropped} dropped`] : []),
    ...(done > 0 ? [`p50 ${milliseconds(p50)}`, `p99 ${milliseconds(p99)}`] : []),
  ].join('  ')
}

/** Undefined where the system has no /proc. */
export const cpuTimeMs = (pid: number): number | undefined =>
  orNothing(() => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // proc(5): utime and stime, in ticks of 10 ms on every Linux that Node runs on.
    return (Number(fields[11]) + Number(fields[12])) * 10
  })
