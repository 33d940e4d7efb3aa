import { phoneModels } from './models.ts'
import { profileGroups, profileSentences, profileUnits, relaxedRules } from './profile.ts'

/** 简体中文. What the tables of the service say in English, by the same keys. */
export const chineseServiceWords = {
  phoneModels,
  profileSentences,
  profileGroups,
  profileUnits,
  relaxedRules,
}
