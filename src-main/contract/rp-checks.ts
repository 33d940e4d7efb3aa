import { type CarefulAct, type FaultStory, SERVICE_FAULT_GROUPS, type ServiceFaultGroup } from './service-fault.ts'
import { type ServiceFaultName, serviceFaultOf, storiesOf } from './service-faults.ts'

/** `rule`: its number in docs/interface/relying-party.md, "What a careful RP does". */
type RpCheck = { readonly harm: 'admits' | 'breaks'; readonly act: CarefulAct; readonly rule: number }

/** What an RP is looked at for while the service is honest. */
export const RP_CHECKS = {
  'nobody-unapproved': { harm: 'admits', act: 'approved', rule: 1 },
  'another-browser': { harm: 'admits', act: 'once', rule: 2 },
  'message-for-each-request': { harm: 'admits', act: 'own', rule: 2 },
  'user-id-for-each-account': { harm: 'admits', act: 'own', rule: 2 },
  'account-after-success': { harm: 'breaks', act: 'registered', rule: 3 },
  'stranger-kept-out': { harm: 'admits', act: 'record', rule: 4 },
  'pause-between-polls': { harm: 'breaks', act: 'pause', rule: 5 },
  'polls-end': { harm: 'breaks', act: 'end', rule: 6 },
  'final-read-once': { harm: 'breaks', act: 'end', rule: 6 },
  'code-with-token': { harm: 'breaks', act: 'host', rule: 10 },
  'push-without-code': { harm: 'breaks', act: 'host', rule: 10 },
  'secret-kept': { harm: 'breaks', act: 'secret', rule: 11 },
  'user-told': { harm: 'breaks', act: 'told', rule: 12 },
} as const satisfies Readonly<Record<string, RpCheck>>

export type RpCheckName = keyof typeof RP_CHECKS

export const RP_CHECK_NAMES = Object.keys(RP_CHECKS) as [RpCheckName, ...RpCheckName[]]

export const isRpCheckName = (name: string): name is RpCheckName => Object.hasOwn(RP_CHECKS, name)

/** What a story is played with: a fault of the service, or nothing but open eyes. */
export type TrialName = ServiceFaultName | RpCheckName

export const TRIAL_GROUPS = ['honest', ...SERVICE_FAULT_GROUPS] as const
export type TrialGroup = ServiceFaultGroup | 'honest'

type TrialRow = {
  readonly group: TrialGroup
  readonly harm: 'admits' | 'breaks'
  readonly act: CarefulAct
}

/** What the reports need of a fault or a check. */
export const trialRowOf = (name: TrialName): TrialRow =>
  isRpCheckName(name) ? { group: 'honest', ...RP_CHECKS[name] } : serviceFaultOf(name)

/** In which honest stories each check looks. */
export const CHECK_STORIES = {
  'nobody-unapproved': [
    'sign-in-rejected',
    'sign-in-ignored',
    'registration-rejected',
    'registration-ignored',
    'push-rejected',
  ],
  'another-browser': ['sign-in-revisited'],
  'message-for-each-request': ['sign-in-twice'],
  'user-id-for-each-account': ['registration-alike'],
  'account-after-success': ['registration-ignored', 'registration-rejected'],
  'stranger-kept-out': ['registration-by-stranger'],
  'pause-between-polls': ['sign-in-approved', 'sign-in-rejected', 'registration-approved'],
  'polls-end': ['sign-in-approved', 'sign-in-rejected', 'sign-in-ignored', 'registration-rejected'],
  'final-read-once': ['sign-in-approved', 'registration-approved'],
  'code-with-token': ['sign-in-approved', 'registration-approved'],
  'push-without-code': ['push-approved'],
  'secret-kept': ['sign-in-approved', 'registration-approved'],
  'user-told': ['sign-in-approved', 'sign-in-rejected', 'sign-in-ignored'],
} as const satisfies Readonly<Record<RpCheckName, readonly FaultStory[]>>

export const storiesOfTrial = (name: TrialName): readonly FaultStory[] =>
  isRpCheckName(name) ? CHECK_STORIES[name] : storiesOf(name)
