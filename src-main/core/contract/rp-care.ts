/** How far an RP trusts the service: a careful one checks each answer against the rules, a careless one accepts it. */
export const RP_CARES = ['careful', 'careless'] as const

export type RpCare = (typeof RP_CARES)[number]

/** `broke`: the RP cannot continue, like a page that shows HTTP 500. */
export const RP_VERDICTS = ['waits', 'success', 'refused', 'fail', 'timeout', 'broke'] as const

export type RpVerdict = (typeof RP_VERDICTS)[number]

/** Rules: docs/interface/relying-party.md, "What a careful RP does". */
export const RP_DOUBTS = ['other_user', 'no_user', 'unscanned', 'error_with_success', 'not_stored', 'address'] as const

export type RpDoubt = (typeof RP_DOUBTS)[number]

/**
 * The RP simulator whose result differs from its result without the fault, in English. `neither`: only the phone or the
 * timeline shows that the fault triggered.
 */
export const seenBy = {
  careful: 'Seen with a careful bank',
  careless: 'Seen with a careless bank',
  either: 'Seen with either bank',
  neither: 'Seen on the phone and in the timeline',
}

export type SeenBy = keyof typeof seenBy
