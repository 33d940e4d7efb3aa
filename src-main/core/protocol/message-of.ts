export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

export const firstLine = (error: unknown): string => messageOf(error).split('\n')[0] ?? ''
