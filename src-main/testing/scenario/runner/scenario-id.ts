import { createHash } from 'node:crypto'
import type { ScenarioIdProblem } from '../../../core/contract/scenario/file-problems.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'

/** Everything needed to replay a scenario exactly. */
export type ScenarioId = {
  readonly file: string
  /** Present for a scenario with a table of cases. */
  readonly case?: string
  readonly seed: number
  readonly clockFrozen: boolean
}

const SEED_BITS = 52n

/** `login.yaml#admin@1234`; a final `s` means that the clock was frozen. */
export const formatScenarioId = ({ file, case: name, seed, clockFrozen }: ScenarioId): string =>
  `${file}${name === undefined ? '' : `#${encodeURIComponent(name)}`}@${seed}${clockFrozen ? 's' : ''}`

export const parseScenarioId = (text: string): Result<ScenarioId, ScenarioIdProblem> => {
  const [, file = '', name, seed = '', stands] = /^(.+?)(?:#([^#@]*))?@(\d{1,16})(s?)$/.exec(text) ?? []
  if (file === '' || !Number.isSafeInteger(Number(seed))) {
    return err({ code: 'not_scenario_id', params: { text } })
  }
  try {
    const case_ = name === undefined ? {} : { case: decodeURIComponent(name) }
    return ok({ file, ...case_, seed: Number(seed), clockFrozen: stands === 's' })
  } catch {
    return err({ code: 'broken_escapes', params: { text } })
  }
}

export type SeedParts = {
  readonly run: number
  readonly file: string
  readonly case: string | undefined
  /** Number of the repetition under `--repeat`, from 0. */
  readonly round: number
}

/** A scenario’s seed: the same in any order and next to any other scenario. */
export const scenarioSeed = ({ run, file, case: name, round }: SeedParts): number =>
  Number(BigInt(`0x${hashOf([run, file, name ?? null, round])}`) & ((1n << SEED_BITS) - 1n))

/** The workspace’s ID, from which its random streams are derived. */
export const workspaceId = (seed: number): string => `run-${hashOf(seed).slice(0, 16)}`

const hashOf = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
