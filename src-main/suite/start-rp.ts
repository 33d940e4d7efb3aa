import { setTimeout as sleep } from 'node:timers/promises'
import type { RpSuite } from '../contract/rp-suite.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Workspace } from '../sdk/workspace.ts'

/** A program under test: what starts it is the caller’s. */
export type StartedProgram = { ended(): string | undefined; readonly output: { since(length: number): string } }

export type Start = (program: {
  readonly program: string
  readonly args?: readonly string[]
  readonly env: Readonly<Record<string, string>>
}) => Promise<Result<StartedProgram, string>>

type Around = {
  readonly workspace: Workspace
  readonly start: Start
  readonly stop: AbortSignal
}

const READY_TRIES = 600
const PAUSE_MS = 50

/** Starts the RP where the configuration says how, and waits until it answers. */
export const startRp = async (
  { url, start }: RpSuite,
  { workspace, start: run, stop }: Around,
): Promise<Result<void, string>> => {
  const program =
    start === undefined ? undefined : await run({ ...start, env: await envOf(start.env ?? {}, workspace) })
  if (program?.ok === false) return program
  for (let i = 0; i < READY_TRIES && !stop.aborted; i++) {
    if (await answers(url)) return ok(undefined)
    const ended = program?.value.ended()
    if (ended !== undefined) return err(`the RP ended ${ended}: ${program?.value.output.since(0).trim().slice(-500)}`)
    if (program === undefined) return err(`no RP answers at ${url}. Start it, or say under "start" how.`)
    await sleep(PAUSE_MS)
  }
  return err(
    stop.aborted ? 'stopped.' : `the RP does not answer at ${url} within ${(READY_TRIES * PAUSE_MS) / 1000} s.`,
  )
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

const answers = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2000) })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}
