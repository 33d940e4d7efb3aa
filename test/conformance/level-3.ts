import type { StepId } from '../../src-main/core/contract/judge/steps.ts'

/** Where the judge or the service does more, less or something else than the text; without an entry, what it says. */
export const LEVEL_3_NOTES: Partial<Readonly<Record<StepId, string>>> = {
  '7.1.1': 'The service makes the options and never asks for conditional mediation.',
  '7.1.2': 'The phone is the client; its JSON (§5.1) must have the type public-key and one ID in both members.',
  '7.1.3': 'Its members must be strict base64url; answers to the other ceremony are recognised.',
  '7.1.5': 'Stricter: other bytes than UTF-8 are refused, and not replaced. A byte order mark is stripped.',
  '7.1.6': 'Stricter: a member may not be there twice, and tokenBinding must have its old form.',
  '7.1.8': 'A right challenge in another spelling is refused under a word of its own.',
  '7.1.9': 'The origins of the RP, compared exactly.',
  '7.1.10': 'Expected only where the profile has `top_origins`.',
  '7.1.11': 'Only with crossOrigin true, and one of `top_origins`.',
  '7.1.13': 'Stricter: CTAP2’s canonical CBOR, no other members, no bytes left over, keys on their curve.',
  '7.1.15': 'Always, since mediation is never conditional.',
  '7.1.16': 'Required where the options say so.',
  '7.1.18': 'Shown; no policy.',
  '7.1.19': 'Shown; no policy.',
  '7.1.23': 'The roots of the workspace; no metadata service is asked.',
  '7.1.24': 'A root is needed only under `attestation: require-trusted`. No certificate status is looked up.',
  '7.1.25': 'Stricter: an empty ID is refused.',
  '7.1.26': 'For any user of the RP, and among the excluded ones.',
  '7.1.27':
    'Stricter: copies beside the attestation object must equal it. The optional contents stay with the message.',
  '7.1.28': 'An output must fit what was asked for; others are named and ignored.',
  '7.2.1': 'As at step 1 of §7.1. The list of credentials is never empty.',
  '7.2.2': 'As at step 2 of §7.1.',
  '7.2.3': 'As at step 3 of §7.1.',
  '7.2.6': 'The first case: the RP names the user.',
  '7.2.7': 'Stricter: as at step 13 of §7.1, and no attested credential data.',
  '7.2.8': 'As at step 5 of §7.1.',
  '7.2.9': 'As at step 6 of §7.1.',
  '7.2.12': 'As at step 9 of §7.1.',
  '7.2.13': 'As at step 10 of §7.1.',
  '7.2.14': 'As at step 11 of §7.1.',
  '7.2.15': 'The extension appid is never asked for.',
  '7.2.19': 'Eligibility may not change; a changed state is accepted.',
  '7.2.22': 'Refused under `counter_regression: fail`, the default; else the lower counter is stored.',
  '7.2.23': 'As at step 28 of §7.1.',
  '7.2.24': 'Other: the record has the UV flag of the last sign-in, where uvInitialized stays true.',
}

/** What may come after Level 3, to be looked at again. */
export const LEVEL_4_WATCH: readonly string[] = [
  'Credential manager trust group keys: the extension `cmtgKey` of w3c/webauthn’s branch `2338-cmtg` (2026-07-20); `hasCmtgKey` of Chromium’s virtual authenticator makes them. Here, its output is one that was not asked for.',
  'The hint `nearby-client` of the branch `2360-ffhints` (2026-07-30). The profile’s `hints` has the three of Level 3.',
]
