import { isRpCheckName, type TrialName } from '../../src-main/core/contract/rp-checks.ts'
import type { FindingReason } from '../../src-main/core/contract/suite-findings.ts'
import { serviceFaultStories as englishStories } from '../../src-main/core/messages/en/service-faults.ts'
import {
  rpChecks as englishChecks,
  suiteFindings as englishFindings,
} from '../../src-main/core/messages/en/suite-findings.ts'
import { textOf } from '../../src-main/core/messages/text.ts'
import { serviceFaultStories as chineseStories } from '../../src-main/core/messages/zh/service-faults.ts'
import {
  rpChecks as chineseChecks,
  suiteFindings as chineseFindings,
} from '../../src-main/core/messages/zh/suite-findings.ts'
import { language } from '../ui/language.ts'
import { serviceFaultText } from '../ui/messages.ts'

/** The bench's own page does not use these, and does not load them. */
const [findings, stories, checks] =
  language === 'zh'
    ? [chineseFindings, chineseStories, chineseChecks]
    : [englishFindings, englishStories, englishChecks]

/** The RP's reaction, or why it was not tried. */
export const findingText = (reason: FindingReason): string => textOf(findings, reason)

/** The user's actions while the fault is armed. */
export const storyText = (story: string): string => textOf(stories, { code: story })

/** The service's mistake, or the check of the RP that needs none. */
export const trialText = (name: TrialName): string => (isRpCheckName(name) ? checks[name] : serviceFaultText(name))
