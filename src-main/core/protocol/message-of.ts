/** What was thrown, in its own words. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** What another program says, as far as it goes on one line. */
export const firstLine = (error: unknown): string => messageOf(error).split('\n')[0] ?? ''
