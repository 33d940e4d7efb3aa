/** What the service decides beside the judge, worded like one of the judge's own failures. */
export const overrulings = {
  second_opinion_disagrees: 'The second verifier refuses what the judge accepts.',
  credential_busy: 'The credential is used too often at once.',
  credential_limit: 'The user has as many credentials as are allowed.',
} as const satisfies Record<string, string>

export type Overruling = keyof typeof overrulings
