import { creationOptions, openPhone, requestOptions } from './one-phone.ts'

export type AssertionTimes = {
  readonly assertion: readonly number[]
  readonly bare: readonly number[]
  /** Each one's share of the time that 16 at once take. */
  readonly together: readonly number[]
}

const AT_ONCE = 16

/** The size of what is signed: authenticator data and a hash. */
const SIGNED = new Uint8Array(37 + 32)

/**
 * A phone with many ES256 credentials answers request options as JSON, each time with another credential; in turn with
 * it, node:crypto signs as many bytes with a key that lies ready. Milliseconds.
 */
export const measureAssertions = async (options: {
  readonly credentials: number
  readonly samples: number
  readonly seed?: number
}): Promise<AssertionTimes> => {
  const phone = await openPhone(options.seed)
  try {
    const ids: string[] = []
    for (let i = 0; i < options.credentials; i++) ids.push(await phone.create(creationOptions(i)))
    const bareSignature = await phone.bareKey(ids[0] ?? '')
    const assertion: number[] = []
    const bare: number[] = []
    // The first tenth only warms up.
    for (let i = -Math.ceil(options.samples / 10); i < options.samples; i++) {
      const id = ids[(Math.abs(i) * 7919) % ids.length] ?? ''
      const asked = requestOptions(i, id)
      const from = performance.now()
      await phone.get(asked)
      const between = performance.now()
      bareSignature(SIGNED)
      const to = performance.now()
      if (i < 0) continue
      assertion.push(between - from)
      bare.push(to - between)
    }
    const together: number[] = []
    for (let i = 0; i < options.samples; i += AT_ONCE) {
      const from = performance.now()
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, k) =>
          phone.get(requestOptions(i + k, ids[((i + k) * 7919) % ids.length] ?? '')),
        ),
      )
      together.push((performance.now() - from) / AT_ONCE)
    }
    return { assertion, bare, together }
  } finally {
    await phone.close()
  }
}
