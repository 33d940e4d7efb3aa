import type { BenchEvent } from '../../core/contract/events.ts'
import type { Course, RecordedRp } from './course.ts'

/** The RP that every workspace has from the start, unless it was told otherwise. */
const isDemo = ({ rp_id, name }: RecordedRp): boolean => rp_id === 'localhost' && name === 'Demo RP'

/** Which RPs the file needs: none where the one that a workspace begins with asks everything. */
export const nameRps = (course: Course, events: readonly BenchEvent[], kept: readonly RecordedRp[]): void => {
  const ofPasskeys = events.flatMap((event) => (event.kind === 'credential' ? event.rp_id : []))
  const asking = new Set([...course.index.rpCalls.flatMap(({ rp_id }) => rp_id ?? []), ...ofPasskeys])
  for (const event of events) {
    if (event.kind === 'setting' && event.subject === 'rp' && event.change === 'created') {
      const rp = event.detail as RecordedRp
      course.rps.set(rp.id, rp)
    }
  }
  for (const rp of kept) if (!course.rps.has(rp.id)) course.rps.set(rp.id, rp)
  const needed = [...course.rps.values()].filter((rp) => asking.has(rp.id) || !isDemo(rp))
  course.firstRp = (needed[0] ?? [...course.rps.values()][0])?.id
  if (needed.every(isDemo)) return
  for (const { id, name, rp_id, origins } of needed) {
    const usual = origins.length === 1 && origins[0] === `https://${rp_id}`
    course.headRps.set(course.rpNames.give(id, name), { name, rp_id, ...(usual ? {} : { origins }) })
  }
}
