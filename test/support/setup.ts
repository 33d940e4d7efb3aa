import { configureGlobal } from 'fast-check'
import { afterAll, vi } from 'vitest'

// Properties are tried on the same values in each run. HANDSET_TEST_SEED chooses others.
configureGlobal({ seed: Number(process.env.HANDSET_TEST_SEED ?? 1) })

// The files of a worker share its process.
afterAll(() => void vi.useRealTimers())
