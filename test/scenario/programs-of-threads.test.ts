import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const ask = async (worker: Worker, message: 'end' | 'look'): Promise<unknown> => {
  worker.postMessage(message)
  return (await once(worker, 'message'))[0]
}

it.skipIf(process.platform === 'win32')(
  'a scenario that ends leaves the programs of those in other threads alone',
  async () => {
    const file = new URL('../support/program-worker.ts', import.meta.url)
    const [first, second] = [new Worker(file), new Worker(file)]
    expect(await Promise.all([first, second].map((worker) => once(worker, 'message')))).toEqual([
      ['started'],
      ['started'],
    ])
    expect(await ask(first, 'end')).toBe('ended')
    expect(await ask(second, 'look')).toBe('runs')
    expect(await ask(second, 'end')).toBe('ended')
  },
)
