import { setTimeout as sleep } from 'node:timers/promises'
import type { RpSuite } from '../../core/contract/rp-suite.ts'
import type { ProgramEnd } from '../../core/contract/scenario/problems.ts'
import type { FindingReason, RpStartProblem } from '../../core/contract/suite-findings.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { createTrustingFetch } from '../../sdk/fetch-trusting.ts'
import type { Workspace } from '../../sdk/workspace.ts'
import { fillText, fillTexts, type Values } from '../calls/placeholders.ts'
import { findCrashCause } from './crash-cause.ts'

/** A program under test: the caller starts it. */
export type StartedProgram = { ended(): ProgramEnd | undefined; readonly output: { since(length: number): string } }

export type StartProgram = (program: {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}) => Promise<Result<StartedProgram, RpStartProblem>>

type Around = {
  readonly start: StartProgram
  readonly stop: AbortSignal
  readonly patienceMs?: number
  /** Values for the placeholders in braces. */
  readonly values?: Values
  /** The certificate of an RP behind https; read again each time, since the RP may make it as it starts. */
  readonly ca?: () => string | undefined
}

/** A program may compile itself first; one that ends is reported immediately. */
const START_MS = 120_000
/** Longest wait for an RP that the suite does not start. */
const WAIT_MS = 30_000
const PAUSE_MS = 50
/** Longest wait for one answer: the next attempt may be quicker. */
const ATTEMPT_MS = 2000
const END_MS = 2000

export type RpHealth = ReturnType<typeof healthOf>

/** Starts the RP if the configuration says how, and waits until it answers. */
export const startRp = async (suite: RpSuite, around: Around): Promise<Result<RpHealth, RpStartProblem>> => {
  const { url, start } = suite
  if (start === undefined) {
    if (!(await answers(url, around, around.stop))) return err({ code: 'rp_absent', params: { url } })
    const restore = () => answersInTime(url, around, around.patienceMs ?? WAIT_MS)
    return ok(healthOf(url, around, { ended: () => undefined, output: () => undefined, restore }))
  }
  if (await answers(url, around, around.stop)) return err({ code: 'address_taken', params: { url } })
  const begun = await runUntilReady(url, start, around)
  if (!begun.ok) return begun
  let running = begun.value
  const restore = async (): Promise<boolean> => {
    const again = await runUntilReady(url, start, around)
    if (again.ok) running = again.value
    return again.ok
  }
  return ok(healthOf(url, around, { ended: () => exitReason(running), output: () => lastOf(running.output), restore }))
}

type Lifeline = { ended(): FindingReason | undefined; output(): string | undefined; restore(): Promise<boolean> }

const healthOf = (url: string, around: Around, { ended, output, restore }: Lifeline) => {
  let restored = 0
  return {
    /** The RP's last output; undefined if the suite did not start the RP. */
    output,
    restored: (): number => restored,
    /** Why the RP no longer answers; undefined if it does. */
    problem: async (): Promise<FindingReason | undefined> => {
      const end = ended()
      if (end !== undefined || (await answers(url, around, around.stop))) return end
      return (await lateEnd(ended)) ?? { code: 'rp_silent', params: { url } }
    },
    /** Restarts the RP, or waits for one that the suite does not start. True if it then answers. */
    restore: async (): Promise<boolean> => {
      const isBack = await restore()
      if (isBack) restored += 1
      return isBack
    },
  }
}

/** A program that ends closes its port some time before the system reports its end. */
const lateEnd = async (ended: Lifeline['ended']): Promise<FindingReason | undefined> => {
  for (let left = END_MS; left > 0; left -= PAUSE_MS) {
    await sleep(PAUSE_MS)
    const end = ended()
    if (end !== undefined) return end
  }
  return undefined
}

const exitReason = ({ ended, output }: StartedProgram): FindingReason | undefined => {
  const how = ended()
  if (how === undefined) return undefined
  const cause = findCrashCause(output.since(0).slice(-MAX_OUTPUT_READ))
  return { code: 'rp_ended', params: { ended: how, output: lastOf(output), ...(cause === undefined ? {} : { cause }) } }
}

const MAX_OUTPUT_READ = 20_000

const lastOf = (output: StartedProgram['output']): string => output.since(0).trim().slice(-500)

const runUntilReady = async (
  url: string,
  start: NonNullable<RpSuite['start']>,
  around: Around,
): Promise<Result<StartedProgram, RpStartProblem>> => {
  const { start: run, stop, patienceMs = START_MS, values = {} } = around
  const begun = await run(fillProgram(start, values))
  if (!begun.ok) return begun
  const { ended, output } = begun.value
  if (await answersInTime(url, around, patienceMs, () => ended() !== undefined)) return ok(begun.value)
  if (stop.aborted) return err({ code: 'stopped' })
  const how = ended()
  if (how !== undefined) return err({ code: 'rp_ended', params: { ended: how, output: lastOf(output) } })
  return err({ code: 'rp_late', params: { url, seconds: patienceMs / 1000, output: lastOf(output) } })
}

const answersInTime = async (
  url: string,
  around: Around,
  patienceMs: number,
  hasEnded: () => boolean = () => false,
): Promise<boolean> => {
  const until = AbortSignal.any([around.stop, AbortSignal.timeout(patienceMs)])
  while (!until.aborted && !hasEnded()) {
    if (await answers(url, around, until)) return true
    await sleep(PAUSE_MS)
  }
  return false
}

type Program = NonNullable<RpSuite['start']>

export const fillProgram = ({ program, args = [], env = {} }: Program, values: Values) => ({
  program: fillText(program, values),
  args: args.map((arg) => fillText(arg, values)),
  env: fillTexts(env, values),
})

export const programValues = async (workspace: Workspace): Promise<Values> => {
  const { baseUrl, accessKeyId, secretKey, rp_id, close } = await workspace.rp()
  close()
  return { base_url: baseUrl, access_key_id: accessKeyId, secret_key: secretKey, rp_id }
}

const answers = async (url: string, { ca }: Around, stop: AbortSignal): Promise<boolean> => {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_MS)])
    const pem = ca?.()
    const response = await (pem === undefined ? fetch : createTrustingFetch(pem))(url, { redirect: 'manual', signal })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}
