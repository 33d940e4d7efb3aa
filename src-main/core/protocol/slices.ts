/**
 * Long work, cut so that other work can run in between. Each step yields its cost in characters of JSON; other work
 * costs as many as take the same time. Counted and not timed, so that the same work always has the same slices.
 */
export type Steps<T> = Generator<number, T>

/** Some milliseconds. */
export const SLICE = 256 * 1024

/** Runs the steps in order, and lets waiting work run after each slice. */
export const inSlices = async <T>(steps: Steps<T>): Promise<T> => {
  for (let left = SLICE; ; ) {
    const step = steps.next()
    if (step.done === true) return step.value
    left -= step.value
    if (left > 0) continue
    await giveWay()
    left = SLICE
  }
}

/** For little work, and where no request waits. */
export const inOneGo = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Until everything that has arrived is handled. */
const giveWay = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
