export const errorMessage = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

export const firstErrorLine = (error: unknown): string => errorMessage(error).split('\n')[0] ?? ''
