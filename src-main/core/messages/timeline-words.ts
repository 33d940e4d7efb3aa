import type { appRoutes } from '../contract/app/routes.ts'
import type { PhoneFact, StageEvent } from '../contract/events.ts'
import type { rpRoutes } from '../contract/rp/routes.ts'
import type { RpVerdict } from '../contract/rp-care.ts'
import type { MessageState } from '../protocol/message-state.ts'

type CallsOf<Routes, Prefix extends string> = {
  [K in keyof Routes]: Routes[K] extends { readonly method: infer M extends string; readonly path: `/${infer P}` }
    ? `${M} ${Prefix}${P}`
    : never
}[keyof Routes]

type StageOf<E> = E extends StageEvent ? `${E['kind']} ${E['stage']}` : never

/** The rows of a timeline that have words: the calls of the contract, the states and stages of a message, and signals. */
export type RowName =
  | CallsOf<ReturnType<typeof rpRoutes>, ''>
  | CallsOf<ReturnType<typeof appRoutes>, 'app/'>
  | `message ${MessageState}`
  | StageOf<StageEvent>
  | `signal ${NonNullable<PhoneFact['signal']>['outcome']}`

/** Texts of the timeline: the service's search uses them too, so it finds what the page shows. */
export type TimelineWords = {
  readonly states: Readonly<Record<MessageState, string>>
  readonly register: string
  readonly signIn: string
  readonly calls: string
  readonly callsSub: string
  readonly by: Readonly<Record<'qrcode' | 'push', string>>
  readonly method: Readonly<Record<'qrcode' | 'push', string>>
  readonly left: (time: string) => string
  readonly refusedAnswer: string
  /** The search word for failed requests. */
  readonly failedWord: string
  /** The RP's reaction to a result that a fault of the service changed. */
  readonly told: Readonly<Record<RpVerdict, string>>
  readonly why: string
  readonly disagree: string
  readonly folded: (count: number) => string
  readonly words: Readonly<Record<RowName, string>>
  readonly read: string
  readonly otherCall: string
  readonly lanes: Readonly<Record<'rp' | 'service' | 'phone', string>>
}
