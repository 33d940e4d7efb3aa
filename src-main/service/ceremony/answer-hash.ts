import { hash } from 'node:crypto'

/** The same for the same answer, however its members are ordered and spaced. */
export const answerHash = (answer: unknown): string => hash('sha256', JSON.stringify(sorted(answer)), 'base64url')

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)])
}
