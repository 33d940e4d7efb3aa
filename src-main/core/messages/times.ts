import type { Millis } from '../protocol/time.ts'

/** ISO 8601 to the second. Years beyond 9999 keep their digits. */
export const isoTime = (time: Millis): string => new Date(time).toISOString().replace('.000Z', 'Z')
