import { isStruck, msOf } from './armed-faults.ts'
import type { PhoneCore } from './phone-core.ts'
import type { OpenPrompt, StruckFault } from './phone-record.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'

/** Why the phone does not go on after the message was bound. */
export const stopAfterScan = (struck: readonly StruckFault[]): PhoneRefusal | undefined =>
  isStruck(struck, 'app_killed') ? refusePhone('app_killed') : undefined

/** An answer that has to wait past the expiry; once it waited, the fault is spent. */
export const postponement = (
  core: PhoneCore,
  open: OpenPrompt,
): { readonly open: OpenPrompt; readonly ms: number } | undefined => {
  if (!isStruck(open.struck, 'answer_after_expiry')) return undefined
  const struck = open.struck.filter(({ fault }) => fault !== 'answer_after_expiry')
  return { open: { ...open, struck }, ms: (open.prompt.expires_at + 1) * 1000 - core.ports.clock.now() }
}

/** When a push reaches the phone, in milliseconds from now, once for each time it does. */
export const arrivals = (struck: readonly StruckFault[]): readonly number[] => {
  if (isStruck(struck, 'push_lost')) return []
  const late = struck.find(({ fault }) => fault === 'push_late')
  const twice = struck.find(({ fault }) => fault === 'push_twice')
  const first = late === undefined ? 0 : msOf(late)
  return twice === undefined ? [first] : [first, first + msOf(twice)]
}
