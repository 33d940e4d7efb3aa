export type Store = { close(): Promise<void> }
