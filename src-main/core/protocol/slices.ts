/**
 * Long work in steps, so that other work can run in between. Each step yields its cost, in characters of JSON or the
 * number that takes as long. Costs are counted and not timed, so that the same work always has the same slices.
 */
export type SlicedWork<T> = Generator<number, T>

/** Cost of one slice: some milliseconds. */
export const SLICE_COST = 256 * 1024

/** Lets waiting work run after each slice. */
export const runInSlices = async <T>(steps: SlicedWork<T>): Promise<T> => {
  for (let left = SLICE_COST; ; ) {
    const step = steps.next()
    if (step.done === true) return step.value
    left -= step.value
    if (left > 0) continue
    await giveWay()
    left = SLICE_COST
  }
}

/** For short work, or where no request waits. */
export const runAtOnce = <T>(steps: SlicedWork<T>): T => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Resolves when the input that has already arrived is handled. */
const giveWay = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
