import type { Line } from './line.ts'

export const file: string
export const origin: string
export const rpId: string
export const judgeLines: <Stored>(judge: {
  readonly register: (line: Line, body: unknown) => Promise<Stored>
  readonly signIn: (line: Line, body: unknown, stored: Stored) => Promise<void>
}) => Promise<void>
