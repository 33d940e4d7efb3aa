import { below, type RandomSource } from '../../core/protocol/random.ts'

const MANNERS = [
  ...['Amber', 'Brave', 'Bright', 'Calm', 'Clever', 'Copper', 'Early', 'Gentle', 'Golden', 'Happy', 'Honest', 'Ivory'],
  ...['Jolly', 'Kind', 'Little', 'Lucky', 'Merry', 'Misty', 'Noble', 'Patient', 'Polite', 'Proud', 'Quick', 'Quiet'],
  ...['Rapid', 'Silver', 'Steady', 'Sunny', 'Swift', 'Velvet', 'Warm', 'Wise'],
] as const

const ANIMALS = [
  ...['Badger', 'Beaver', 'Bison', 'Crane', 'Deer', 'Dolphin', 'Eagle', 'Falcon', 'Finch', 'Fox', 'Gecko', 'Hare'],
  ...['Hedgehog', 'Heron', 'Ibis', 'Jay', 'Kestrel', 'Lark', 'Lynx', 'Marten', 'Mole', 'Otter', 'Owl', 'Panda'],
  ...['Puffin', 'Raven', 'Robin', 'Seal', 'Swan', 'Tern', 'Turtle', 'Wren'],
] as const

/** Two plain words and a number: `Quiet Otter 42`. */
export const randomCredentialName = (source: RandomSource): string => {
  const manner = MANNERS[below(source, MANNERS.length)]
  const animal = ANIMALS[below(source, ANIMALS.length)]
  return `${manner} ${animal} ${10 + below(source, 90)}`
}
