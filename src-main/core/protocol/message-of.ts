/** The thrown error's own message. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** The first line of another program's message. */
export const firstLine = (error: unknown): string => messageOf(error).split('\n')[0] ?? ''
