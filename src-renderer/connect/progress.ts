import type { OwnCalls, RefusedCall } from '../../src-main/views/timeline/own-calls.ts'

export const STEPS = ['reached', 'signed', 'scanned', 'signedIn'] as const

export type ConnectStep = (typeof STEPS)[number]

export type Progress = {
  readonly done: Readonly<Record<ConnectStep, boolean>>
  /** The refusal that stands in the way, at the step that it keeps from being done. */
  readonly refused?: RefusedCall & {
    readonly at: ConnectStep /** It says not that it is this RP’s. */
    readonly stray: boolean
  }
}

type ProgressInput = {
  readonly own: OwnCalls
  readonly rp: string
  /** The access keys of this RP, and those of the others in the workspace. */
  readonly keys: readonly string[]
  readonly foreignKeys: readonly string[]
}

/** How far the RP’s own server has come, told apart from other RPs, and from calls that may be anybody’s. */
export const progressOf = ({ own, rp, keys, foreignKeys }: ProgressInput): Progress => {
  const server = own.byRp[rp]
  const named = latest(keys.map((key) => own.byKey[key]))
  const stray = latest(
    Object.entries(own.byKey).map(([key, call]) =>
      keys.includes(key) || foreignKeys.includes(key) ? undefined : call,
    ),
  )
  const done = {
    reached: server !== undefined || named !== undefined,
    signed: server !== undefined,
    scanned: server?.scanned === true,
    signedIn: server?.signedIn !== undefined,
  }
  const signed = server?.signed ?? 0
  // Once a signature has held, a call that names no key is somebody else’s.
  const unsigned = latest([named, done.signed ? undefined : stray])
  if (unsigned !== undefined && unsigned.seq > signed) {
    const isStray = unsigned !== named
    return { done, refused: { ...unsigned, at: isStray && !done.reached ? 'reached' : 'signed', stray: isStray } }
  }
  const { refused } = server ?? {}
  if (refused === undefined || refused.seq !== signed || done.signedIn) return { done }
  return { done, refused: { ...refused, at: done.scanned ? 'signedIn' : 'scanned', stray: false } }
}

const latest = (calls: readonly (RefusedCall | undefined)[]): RefusedCall | undefined =>
  calls.reduce((best, call) => (call !== undefined && call.seq > (best?.seq ?? 0) ? call : best), undefined)
