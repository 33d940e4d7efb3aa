import { isOrigin } from '../../src-main/core/contract/profile.ts'
import { texts } from '../ui/texts.ts'

/** Origins as a person writes them: parted by spaces or commas. */
export const originsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter((each) => each !== '')

/** What is said at the field. */
export const originProblem = (text: string): string | undefined => {
  const bad = originsIn(text).find((each) => !isOrigin(each))
  return bad === undefined ? undefined : texts.wrong.origin(bad)
}
