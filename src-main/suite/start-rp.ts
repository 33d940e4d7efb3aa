import { setTimeout as sleep } from 'node:timers/promises'
import type { RpSuite } from '../contract/rp-suite.ts'
import type { ProgramEnd } from '../contract/scenario/problems.ts'
import type { FindingReason, RpStartProblem } from '../contract/suite-findings.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Workspace } from '../sdk/workspace.ts'

/** A program under test: what starts it is the caller’s. */
export type StartedProgram = { ended(): ProgramEnd | undefined; readonly output: { since(length: number): string } }

export type Start = (program: {
  readonly program: string
  readonly args?: readonly string[]
  readonly env: Readonly<Record<string, string>>
}) => Promise<Result<StartedProgram, RpStartProblem>>

type Around = {
  readonly workspace: Workspace
  readonly start: Start
  readonly stop: AbortSignal
  readonly patienceMs?: number
}

const READY_MS = 30_000
const PAUSE_MS = 50
/** One answer may take no longer: the next attempt may be quicker. */
const ATTEMPT_MS = 2000

/** An RP under test that runs, and may cease to. */
export type RpHealth = {
  /** What is wrong with it, if it no longer answers. */
  problem(): Promise<FindingReason | undefined>
  /** Starts it again; one that others start is waited for. Whether it answers then. */
  restore(): Promise<boolean>
  /** So often it was restored. */
  restored(): number
}

/** Starts the RP where the configuration says how, and waits until it answers. */
export const startRp = async (suite: RpSuite, around: Around): Promise<Result<RpHealth, RpStartProblem>> => {
  const { url, start } = suite
  if (start === undefined) {
    if (!(await answers(url, around.stop))) return err({ code: 'rp_absent', params: { url } })
    return ok(healthOf(url, around, { ended: () => undefined, restore: () => answersInTime(url, around) }))
  }
  if (await answers(url, around.stop)) return err({ code: 'address_taken', params: { url } })
  const begun = await runUntilReady(url, start, around)
  if (!begun.ok) return begun
  let running = begun.value
  const restore = async (): Promise<boolean> => {
    const again = await runUntilReady(url, start, around)
    if (again.ok) running = again.value
    return again.ok
  }
  return ok(healthOf(url, around, { ended: () => endOf(running), restore }))
}

type Lifeline = { ended(): FindingReason | undefined; restore(): Promise<boolean> }

const healthOf = (url: string, { stop }: Around, { ended, restore }: Lifeline): RpHealth => {
  let restored = 0
  return {
    restored: () => restored,
    problem: async () => ended() ?? ((await answers(url, stop)) ? undefined : { code: 'rp_silent', params: { url } }),
    restore: async () => {
      restored += 1
      return restore()
    },
  }
}

const endOf = ({ ended, output }: StartedProgram): FindingReason | undefined => {
  const how = ended()
  return how && { code: 'rp_ended', params: { ended: how, output: lastOf(output) } }
}

const lastOf = (output: StartedProgram['output']): string => output.since(0).trim().slice(-500)

const runUntilReady = async (
  url: string,
  start: NonNullable<RpSuite['start']>,
  around: Around,
): Promise<Result<StartedProgram, RpStartProblem>> => {
  const { workspace, start: run, stop, patienceMs = READY_MS } = around
  const begun = await run({ ...start, env: await envOf(start.env ?? {}, workspace) })
  if (!begun.ok) return begun
  const { ended, output } = begun.value
  if (await answersInTime(url, around, () => ended() !== undefined)) return ok(begun.value)
  if (stop.aborted) return err({ code: 'stopped' })
  const how = ended()
  if (how !== undefined) return err({ code: 'rp_ended', params: { ended: how, output: lastOf(output) } })
  return err({ code: 'rp_late', params: { url, seconds: patienceMs / 1000, output: lastOf(output) } })
}

const answersInTime = async (
  url: string,
  { stop, patienceMs = READY_MS }: Around,
  hasEnded: () => boolean = () => false,
): Promise<boolean> => {
  const until = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)])
  while (!until.aborted && !hasEnded()) {
    if (await answers(url, until)) return true
    await sleep(PAUSE_MS)
  }
  return false
}

const envOf = async (
  env: Readonly<Record<string, unknown>>,
  workspace: Workspace,
): Promise<Readonly<Record<string, string>>> => {
  const { baseUrl, accessKeyId, secretKey, rp_id, close } = await workspace.rp()
  close()
  const values: Readonly<Record<string, string>> = {
    base_url: baseUrl,
    access_key_id: accessKeyId,
    secret_key: secretKey,
    rp_id,
  }
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      String(value).replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole),
    ]),
  )
}

const answers = async (url: string, stop: AbortSignal): Promise<boolean> => {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_MS)])
    const response = await fetch(url, { redirect: 'manual', signal })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}
