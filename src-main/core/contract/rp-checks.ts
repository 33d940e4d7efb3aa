import {
  type CarefulAct,
  type FaultStory,
  type ServiceFaultName,
  serviceFaultGroups,
  serviceFaultOf,
  storiesOf,
} from './service-faults.ts'

/** Numbers of the rules in docs/interface/relying-party.md, "What a careful RP does", by act. */
export const RULE_NUMBERS = {
  ...{ user: 1, type: 1, scanned: 1, status: 1, statusFirst: 1, contradiction: 1, code: 1, twice: 1, approved: 1 },
  ...{ once: 2, own: 2, registered: 3, record: 4, pause: 5, end: 6, over: 6, lost: 6, clock: 6, expiry: 7 },
  ...{ again: 8, passing: 8, size: 8, retry: 8, cache: 8, time: 8, redirect: 9, host: 10, url: 10, hidden: 10 },
  ...{ owner: 11, text: 11, secret: 11, deleted: 11, shape: 12, told: 12, stands: 12 },
} as const satisfies Readonly<Record<CarefulAct, number>>

type RpCheck = {
  /** In English. */
  readonly title: string
  /** `warns`: a mistake that does no visible harm. */
  readonly harm: 'admits' | 'breaks' | 'warns'
  readonly act: CarefulAct
}

/** Checks of an RP while the service is honest. */
export const RP_CHECKS = {
  'nobody-unapproved': { title: 'Nobody is signed in without an approval', harm: 'admits', act: 'approved' },
  'another-browser': { title: 'A result signs in only the browser that asked for it', harm: 'admits', act: 'once' },
  'message-for-each-request': { title: 'Each browser has a request of its own', harm: 'admits', act: 'own' },
  'user-id-for-each-account': { title: 'Each account has a user_id of its own', harm: 'admits', act: 'own' },
  'account-after-success': {
    title: 'There is no account before its registration succeeded',
    harm: 'breaks',
    act: 'registered',
  },
  'stranger-kept-out': { title: 'A stranger cannot add a passkey to an account', harm: 'admits', act: 'record' },
  'pause-between-polls': { title: 'There is a pause between two polls', harm: 'breaks', act: 'pause' },
  'polls-end': { title: 'Polling stops at the end of a request', harm: 'breaks', act: 'end' },
  'final-read-once': { title: 'A success is read once', harm: 'breaks', act: 'end' },
  'code-with-token': { title: 'The code says what the service gave', harm: 'breaks', act: 'host' },
  'push-without-code': { title: 'A push shows no code', harm: 'breaks', act: 'host' },
  'code-hidden-after-scan': { title: 'A code that was scanned is no longer shown', harm: 'warns', act: 'hidden' },
  'secret-kept': { title: 'The secret key stays on the server', harm: 'breaks', act: 'secret' },
  'user-told': { title: 'Every request ends in front of its user', harm: 'breaks', act: 'told' },
} as const satisfies Readonly<Record<string, RpCheck>>

export type RpCheckName = keyof typeof RP_CHECKS

export const RP_CHECK_NAMES = Object.keys(RP_CHECKS) as [RpCheckName, ...RpCheckName[]]

export const isRpCheckName = (name: string): name is RpCheckName => Object.hasOwn(RP_CHECKS, name)

export type TrialName = ServiceFaultName | RpCheckName

/** In English. */
export const trialGroups = { honest: 'While the service is honest', ...serviceFaultGroups } as const

export type TrialGroup = keyof typeof trialGroups

export const TRIAL_GROUPS = Object.keys(trialGroups) as readonly TrialGroup[]

type TrialRow = RpCheck & { readonly group: TrialGroup }

export const findTrialRow = (name: TrialName): TrialRow =>
  isRpCheckName(name) ? { group: 'honest', ...RP_CHECKS[name] } : serviceFaultOf(name)

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
  'code-hidden-after-scan': ['sign-in-approved', 'registration-approved'],
  'secret-kept': ['sign-in-approved', 'registration-approved'],
  'user-told': ['sign-in-approved', 'sign-in-rejected', 'sign-in-ignored'],
} as const satisfies Readonly<Record<RpCheckName, readonly FaultStory[]>>

export const storiesOfTrial = (name: TrialName): readonly FaultStory[] =>
  isRpCheckName(name) ? CHECK_STORIES[name] : storiesOf(name)
