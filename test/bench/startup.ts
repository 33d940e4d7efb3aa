import { setTimeout as wait } from 'node:timers/promises'
import { residentMib, startHandset } from './child.ts'

export type Startup = { readonly startedIn: readonly number[]; readonly idleMib: readonly number[] }

/** From the start of the process to the line that says it accepts requests; then its memory when left alone. */
export const measureStartup = async (options: {
  readonly runs: number
  readonly idleSeconds: number
}): Promise<Startup> => {
  const startedIn: number[] = []
  const idleMib: number[] = []
  for (let i = 0; i < options.runs; i++) {
    const handset = await startHandset()
    startedIn.push(handset.startedIn)
    await wait(options.idleSeconds * 1000)
    const resident = residentMib(handset.ready.pid)
    if (resident !== undefined) idleMib.push(resident)
    await handset.stop()
  }
  return { startedIn, idleMib }
}
