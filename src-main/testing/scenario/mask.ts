import { MASK } from '../../core/protocol/secret.ts'

/** The value with each secret in its texts masked. */
export const maskIn = <T>(value: T, secrets: readonly string[]): T => {
  if (secrets.length === 0) return value
  return mask(value, secrets) as T
}

const mask = (value: unknown, secrets: readonly string[]): unknown => {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, MASK), value)
  if (Array.isArray(value)) return value.map((each) => mask(each, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mask(each, secrets)]))
}
