import { afterEach, beforeEach } from 'vitest'
import { type PhoneBench, startPhoneBench } from './phone-bench.ts'

export let bench: PhoneBench

/** Each test of the file has phones of its own against a service of its own. */
export const phoneBenchEachTest = (): void => {
  beforeEach(async () => {
    bench = await startPhoneBench()
  })
  afterEach(() => bench.close())
}
