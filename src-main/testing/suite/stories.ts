import type { FaultStory } from '../../core/contract/service-fault.ts'
import type { Ending } from '../../core/contract/suite-findings.ts'
import type { Stage } from './stage.ts'
import { PASSKEY_STORIES } from './stories/passkey-stories.ts'
import { REGISTRATION_STORIES } from './stories/registration-stories.ts'
import { SIGN_IN_STORIES } from './stories/sign-in-stories.ts'

export const STORIES = {
  ...SIGN_IN_STORIES,
  ...REGISTRATION_STORIES,
  ...PASSKEY_STORIES,
} as const satisfies Readonly<Record<FaultStory, (stage: Stage) => Promise<Ending>>>
