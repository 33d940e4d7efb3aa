const LATEST = 8.64e15

/** ISO 8601; a number that no calendar has stays a number. */
export const timeText = (ms: number): string => (Math.abs(ms) <= LATEST ? new Date(ms).toISOString() : String(ms))
