import { stringify } from 'yaml'

/** A value as YAML, for a person to read and change. */
export const writeDocument = (value: unknown): string => stringify(value, { lineWidth: 0 })
