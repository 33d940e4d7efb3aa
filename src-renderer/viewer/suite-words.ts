import type { FindingReason } from '../../src-main/contract/suite-findings.ts'
import { serviceFaultStories as englishStories } from '../../src-main/messages/en/service-faults.ts'
import { suiteFindings as englishFindings } from '../../src-main/messages/en/suite-findings.ts'
import { textOf } from '../../src-main/messages/text.ts'
import { serviceFaultStories as chineseStories } from '../../src-main/messages/zh/service-faults.ts'
import { suiteFindings as chineseFindings } from '../../src-main/messages/zh/suite-findings.ts'
import { language } from '../ui/language.ts'

/** Of no use to the bench's own page, which does not load them. */
const [findings, stories] = language === 'zh' ? [chineseFindings, chineseStories] : [englishFindings, englishStories]

/** What the RP did, or why it was not tried. */
export const findingText = (reason: FindingReason): string => textOf(findings, reason)

/** What a user does while the fault is armed. */
export const storyText = (story: string): string => textOf(stories, { code: story })
