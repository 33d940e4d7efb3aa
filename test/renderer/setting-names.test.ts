import { expect, test } from 'vitest'
import { PROFILE_KEYS } from '../../src-main/contract/profile.ts'
import { english } from '../../src-renderer/ui/texts-en.ts'
import { chinese } from '../../src-renderer/ui/texts-zh.ts'

test.each([
  ['English', english.console.profilePage.names],
  ['Chinese', chinese.console.profilePage.names],
])('every setting of the profile has a name on the page in %s', (_, names: Readonly<Record<string, string>>) => {
  expect(PROFILE_KEYS.filter((key) => names[key] === undefined)).toEqual([])
})
