export type KeyedQueue = { inTurn<T>(key: string, work: () => Promise<T>): Promise<T> }

export const createKeyedQueue = (): KeyedQueue => {
  const turns = new Map<string, Promise<unknown>>()
  return {
    inTurn: (key, work) => {
      const done = (turns.get(key) ?? Promise.resolve()).then(() => work())
      const settled = done.catch(() => undefined)
      turns.set(key, settled)
      void settled.then(() => turns.get(key) === settled && turns.delete(key))
      return done
    },
  }
}
