import type { PROFILE_ALGORITHMS } from '../../core/contract/profile.ts'
import { coseAlgorithms, findAlgorithm } from '../../core/judge/algorithms.ts'

const numbers = new Map(coseAlgorithms.map((number) => [findAlgorithm(number)?.name as string | undefined, number]))

/** The COSE number of an algorithm that the profile names. */
export const algorithmNumber = (name: (typeof PROFILE_ALGORITHMS)[number]): number => {
  const number = numbers.get(name)
  if (number === undefined) throw new Error(`the judge knows no algorithm ${name}`)
  return number
}
