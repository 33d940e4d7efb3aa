/** The steps of a ceremony, each by its section and number in WebAuthn Level 3. */
export const REGISTRATION_STEPS = [
  ...['7.1.1', '7.1.2', '7.1.3', '7.1.4', '7.1.5', '7.1.6', '7.1.7', '7.1.8', '7.1.9', '7.1.10'],
  ...['7.1.11', '7.1.12', '7.1.13', '7.1.14', '7.1.15', '7.1.16', '7.1.17', '7.1.18', '7.1.19', '7.1.20'],
  ...['7.1.21', '7.1.22', '7.1.23', '7.1.24', '7.1.25', '7.1.26', '7.1.27', '7.1.28', '7.1.29'],
] as const

export const AUTHENTICATION_STEPS = [
  ...['7.2.1', '7.2.2', '7.2.3', '7.2.4', '7.2.5', '7.2.6', '7.2.7', '7.2.8', '7.2.9', '7.2.10'],
  ...['7.2.11', '7.2.12', '7.2.13', '7.2.14', '7.2.15', '7.2.16', '7.2.17', '7.2.18', '7.2.19', '7.2.20'],
  ...['7.2.21', '7.2.22', '7.2.23', '7.2.24', '7.2.25'],
] as const

export type RegistrationStep = (typeof REGISTRATION_STEPS)[number]
export type AuthenticationStep = (typeof AUTHENTICATION_STEPS)[number]
export type StepId = RegistrationStep | AuthenticationStep

/** What a step says beside its outcome, by a name that stays. */
export const STEP_NOTES = [
  'nothing_to_check',
  'earlier_failure',
  'verification_not_required',
  'no_certificates',
  'trusted_root',
  'untrusted_root_accepted',
  'outputs_kept',
  'any_credential',
  'no_counter',
  'regression_accepted',
] as const

export type StepNote = (typeof STEP_NOTES)[number]
