import { messageOf } from './message-of.ts'
/** What another program says, as far as it goes on one line. */
export const firstLine = (error: unknown): string => messageOf(error).split('\n')[0] ?? ''
