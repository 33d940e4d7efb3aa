import { isObject } from '../../src-main/core/protocol/json.ts'

type Schema = Readonly<Record<string, unknown>>

/** Only our own sentences are made of it. */
const withoutOwn = (schema: object): Schema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'x-expected' ? undefined : value)))

const text = (schema: Schema, indent?: number): string =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, null, indent)}\n`

/** A schema of the contract, as a file for editors and other programs. */
export const schemaFile = (title: string, schema: object): string => text({ title, ...withoutOwn(schema) }, 2)

/** Shorter ones are not worth a name. */
const MIN_SHARED = 60

/** The places below a schema in which schemas stand, with the name under which each does. */
const mapChildren = (schema: Schema, change: (child: Schema, name: string) => Schema, name: string): Schema =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties' && isObject(value))
        return [key, Object.fromEntries(Object.entries(value).map(([n, child]) => [n, change(child as Schema, n)]))]
      if (['items', 'additionalProperties', 'propertyNames', 'not'].includes(key) && isObject(value))
        return [key, change(value as Schema, name)]
      if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(key) && Array.isArray(value))
        return [key, value.map((child) => change(child, name))]
      return [key, value]
    }),
  )

/** The same where each schema that stands more than once stands below `$defs`, on one line. */
export const sharedSchemaFile = (title: string, schema: object): string => {
  const whole = withoutOwn(schema)
  const times = new Map<string, number>()
  const count = (each: Schema): Schema => {
    const known = JSON.stringify(each)
    times.set(known, (times.get(known) ?? 0) + 1)
    if (times.get(known) === 1) mapChildren(each, count, '')
    return each
  }
  mapChildren(whole, count, '')
  const names = new Map<string, string>()
  const $defs: Record<string, Schema> = {}
  const shared = (each: Schema, name: string): Schema => {
    const known = JSON.stringify(each)
    if ((times.get(known) ?? 0) < 2 || known.length < MIN_SHARED) return mapChildren(each, shared, name)
    let def = names.get(known)
    if (def === undefined) {
      def = name === '' || name in $defs ? `${name}${names.size}` : name
      names.set(known, def)
      $defs[def] = {}
      $defs[def] = mapChildren(each, shared, name)
    }
    return { $ref: `#/$defs/${def}` }
  }
  const root = mapChildren(whole, shared, '')
  return text({ title, ...root, $defs })
}
