/** How far an RP believes the service: a careful one holds each answer against the rules, a careless one takes it as it comes. */
export const RP_CARES = ['careful', 'careless'] as const

export type RpCare = (typeof RP_CARES)[number]

/** What an RP makes of an answer. `broke`: it cannot go on, as a page that says HTTP 500. */
export const RP_VERDICTS = ['waits', 'success', 'refused', 'fail', 'timeout', 'broke'] as const

export type RpVerdict = (typeof RP_VERDICTS)[number]

/** Why a careful RP refuses an answer. Rules: docs/interface/relying-party.md, "What a careful RP does". */
export const RP_DOUBTS = ['other_user', 'no_user', 'unscanned', 'error_with_success', 'not_stored', 'address'] as const

export type RpDoubt = (typeof RP_DOUBTS)[number]

/**
 * Which RP shows that a fault was there: it ends otherwise than without the fault. `neither`: the phone or the timeline
 * shows it.
 */
export type SeenBy = RpCare | 'either' | 'neither'
