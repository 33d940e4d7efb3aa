import type { OpinionGiver, OpinionWords } from '../../../src-main/core/contract/judge/opinion.ts'
import { algorithmName } from '../../../src-main/core/judge/algorithms.ts'
import { judgeAuthentication } from '../../../src-main/core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../../src-main/core/judge/judge-registration.ts'
import { en } from '../../../src-main/core/messages/en/en.ts'
import { textOf } from '../../../src-main/core/protocol/coded.ts'
import { nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'
import { opinionAgrees, secondOpinion } from '../../../src-main/service/second-opinion/second-opinion.ts'
import { diceOf } from '../../robustness/dice.ts'
import { NOW } from '../ceremony/registration.ts'
import { mutatedCeremony } from './ceremonies.ts'

export type Comparison = {
  readonly index: number
  readonly kind: string
  readonly outcome:
    | 'both accept'
    | 'both refuse'
    | 'we refuse'
    | 'it refuses'
    | 'not asked'
    | 'not heard'
    | 'nothing to verify'
  /** Our word, the library's reason, or why it was not heard. */
  readonly cause: string
  /** Of the credential’s key, where one could be read. */
  readonly algorithm: string
  readonly by: OpinionGiver | undefined
}

/** The case with this number, whatever was compared before it. */
export const compareOne = async (seed: number, index: number): Promise<Comparison> => {
  const { kind, input } = mutatedCeremony(diceOf(Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b)))
  const verdict = await ('roots' in input
    ? judgeRegistration(input, nodeCrypto)
    : judgeAuthentication(input, nodeCrypto))
  // The certificates of these ceremonies stand alike by every clock from 2020 to 2110.
  const opinion = await secondOpinion(input, { wall: NOW })
  const word = verdict.failure?.word ?? ''
  const of = {
    index,
    kind,
    algorithm: verdict.decoded.algorithm === undefined ? 'none read' : algorithmName(verdict.decoded.algorithm),
    by: opinion.heard ? opinion.by : undefined,
  }
  if (!opinion.heard && !verdict.accepted) return { ...of, outcome: 'nothing to verify', cause: word }
  if (!opinion.heard) return { ...of, outcome: 'not heard', cause: textOf(en.opinions, opinion.reason) }
  if (opinion.accepts && verdict.accepted) return { ...of, outcome: 'both accept', cause: '' }
  if (!opinion.accepts && !verdict.accepted) return { ...of, outcome: 'both refuse', cause: word }
  if (verdict.accepted) return { ...of, outcome: 'it refuses', cause: reasonText(opinion.reason) }
  return { ...of, outcome: opinionAgrees(verdict, opinion) ? 'not asked' : 'we refuse', cause: word }
}

export const compareMany = async (count: number, seed: number): Promise<readonly Comparison[]> => {
  const comparisons: Comparison[] = []
  for (let index = 0; index < count; index++) comparisons.push(await compareOne(seed, index))
  return comparisons
}

export const tally = (
  comparisons: readonly Comparison[],
  outcome: Comparison['outcome'],
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const comparison of comparisons) {
    if (comparison.outcome === outcome) counts.set(comparison.cause, (counts.get(comparison.cause) ?? 0) + 1)
  }
  return new Map([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
}

/** In the library’s own words where it has some. */
const reasonText = (reason: string | OpinionWords = ''): string =>
  typeof reason === 'string' ? reason : textOf(en.opinions, reason)
