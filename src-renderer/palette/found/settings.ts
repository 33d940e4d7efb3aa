import { PROFILE_KEYS, profileSettings } from '../../../src-main/core/contract/profile.ts'
import { saidText } from '../../ui/service-words.ts'
import { texts } from '../../ui/texts.ts'
import { type Source, sourceOf } from './finding.ts'

/** The settings of the profile, by name, key and what they decide. */
export const settingsSource = (): Source => {
  const { profilePage, profile } = texts.console
  return sourceOf(
    'settings',
    PROFILE_KEYS.map((key) => {
      const { group, sentence } = profileSettings[key]
      return {
        key,
        title: profilePage.names[key] ?? key,
        leads: `${profile} · ${saidText('profileGroups', group, group)}`,
        ids: [key],
        also: `${saidText('profileSentences', key, sentence)} ${sentence}`,
        to: { address: { screen: 'console', place: { kind: 'profile', id: key } } },
      }
    }),
  )
}
