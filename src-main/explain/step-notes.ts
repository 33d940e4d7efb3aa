/** What a step says beside its outcome, by a name that stays. */
export const stepNotes = {
  nothing_to_check: 'An earlier step left nothing to check here.',
  earlier_failure: 'An earlier step failed.',
  verification_not_required: 'User verification was not required.',
  no_certificates: 'The attestation has no certificates to trust.',
  trusted_root: 'It leads to a root that is trusted.',
  untrusted_root_accepted: 'It leads to no trusted root, which the profile accepts.',
  outputs_kept: 'Outputs are kept as they are; none decides over the ceremony.',
  any_credential: 'No particular credentials were asked for.',
  no_counter: 'The authenticator does not count.',
  regression_accepted: 'It did not grow, which the profile accepts.',
} as const satisfies Record<string, string>

export type StepNote = (typeof stepNotes)[keyof typeof stepNotes]
