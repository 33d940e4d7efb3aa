import { tableNames } from '../tables.ts'

const OTHERS = [
  'workspaces',
  'unused_rows',
  'pending_events',
  'request_counts',
  'connections',
  'bench',
  'processes',
  'listeners',
  'phone_devices',
]
const OWN = new Set<string>([...tableNames, ...OTHERS])

/**
 * A statement in the words that both adapters use becomes PostgreSQL's: `?` are numbered, tables carry their schema. A
 * search path would be lost behind a pooler, which gives each transaction another connection.
 */
export const postgresText = (schema: string): ((text: string) => string) => {
  const known = new Map<string, string>()
  const make = (text: string): string => {
    let n = 0
    return text
      .replace(/\?/g, () => `$${++n}`)
      .replace(/\b(FROM|INTO|UPDATE|JOIN|NULL::) ?(\w+)/g, (whole, word: string, name: string) =>
        OWN.has(name) ? `${word}${word.endsWith(':') ? '' : ' '}${schema}.${name}` : whole,
      )
      .replace(/nextval\('(\w+)'\)/g, (_, name: string) => `nextval('${schema}.${name}')`)
  }
  return (text) => {
    const made = known.get(text) ?? make(text)
    known.set(text, made)
    return made
  }
}
