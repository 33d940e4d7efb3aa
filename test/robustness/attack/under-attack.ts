import { expect } from 'vitest'
import { type Callers, callersOf } from '../callers.ts'
import { straightPath } from '../cast.ts'
import { type LaunchOptions, memoryMib, type Served, serve } from '../served.ts'

/**
 * Runs one attack against `handset serve` in a process of its own. After it the process lives, registers and signs in a new user,
 * logged no error, unless `logs` allows that, and stops. More garbage than `heapMib` ends it; `peakMib` is the most resident memory it
 * may ever have had; an idle one has about 120. Bound every loop in the attack by count, and never sleep.
 */
export type Target = Served & { readonly callers: Callers; residentMib(): number | undefined }

export type AttackOptions = Pick<LaunchOptions, 'args' | 'descriptors'> & {
  readonly heapMib?: number
  readonly peakMib?: number
  readonly logs?: boolean
}

/** Ten times what it takes where nothing else runs. */
const STOP_MS = 20_000

export const underAttack = async (
  { args = [], descriptors, heapMib = 200, peakMib, logs = false }: AttackOptions,
  attack: (target: Target) => Promise<void>,
): Promise<void> => {
  const served = await serve({
    args: args.includes('--data') ? args : ['--memory', ...args],
    node: [`--max-old-space-size=${heapMib}`],
    ...(descriptors === undefined ? {} : { descriptors }),
  })
  const pid = served.child.pid ?? 0
  const callers = callersOf(served)
  try {
    await attack({ ...served, callers, residentMib: () => memoryMib(pid, 'VmRSS') })
    expect({ exitCode: served.child.exitCode, signal: served.child.signalCode }).toEqual({
      exitCode: null,
      signal: null,
    })
    await straightPath(callers, 'after-the-attack')
    const peak = memoryMib(pid, 'VmHWM')
    if (peakMib !== undefined && peak !== undefined) expect(peak).toBeLessThan(peakMib)
    const from = performance.now()
    expect(await served.stop()).toBe(process.platform === 'win32' ? null : 0)
    expect(performance.now() - from).toBeLessThan(STOP_MS)
    if (!logs) expect(served.stderr()).toBe('')
  } finally {
    await served.kill()
  }
}
