import type { JsonSchema } from '../../src-main/contract/schema.ts'
import type { Dice } from './dice.ts'
import type { Known } from './fuzz-storm.ts'
import { oddText, oddValue } from './mutate.ts'

type Making = { readonly dice: Dice; readonly known: Known }

/** A value that mostly fits the schema: what is optional comes half of the time, and names that are known have values. */
export const sampleOf = (schema: object, making: Making, name = ''): unknown => {
  const { dice, known } = making
  const { type, properties, required = [], items, anyOf, ...rest } = schema as JsonSchema
  if ('const' in rest) return rest.const
  if (rest.enum !== undefined) return dice.pick(rest.enum)
  if (anyOf !== undefined) return sampleOf(dice.pick(anyOf), making, name)
  if (type === 'object') {
    const named = Object.entries(properties ?? {}).filter(([key]) => required.includes(key) || dice.chance(0.5))
    return Object.fromEntries(named.map(([key, part]) => [key, sampleOf(part, making, key)]))
  }
  if (type === 'array') return Array.from({ length: dice.below(3) }, () => sampleOf(items ?? {}, making, name))
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum = 1000 } = rest
    return minimum + dice.below(Math.min(maximum - minimum, 1000) + 1)
  }
  if (type === 'boolean') return dice.chance(0.5)
  if (type === 'null') return null
  if (type !== 'string') return oddValue(dice)
  const values = known.get(name) ?? []
  if (values.length > 0) return dice.pick(values)
  return rest.pattern === undefined ? someText(dice).slice(0, rest.maxLength ?? 500) : 'abc'
}

const someText = (dice: Dice): string =>
  dice.chance(0.8) ? dice.pick(['shop.example', 'https://shop.example', '13812345678', 'Alice', 'u1']) : oddText(dice)
