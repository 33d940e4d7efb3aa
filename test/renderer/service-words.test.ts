import { afterEach, describe, expect, it } from 'vitest'
import { MODELS } from '../../src-main/authenticator/models.ts'
import { type ProfileSetting, profileSettings, RELAXABLE } from '../../src-main/contract/profile.ts'
import { textOf } from '../../src-main/messages/text.ts'
import { chineseServiceWords } from '../../src-main/messages/zh/service-words.ts'
import { messages, refusalWords } from '../../src-renderer/ui/messages.ts'
import { loadServiceWords, said } from '../../src-renderer/ui/service-words.ts'

const settings: readonly ProfileSetting[] = Object.values(profileSettings)

/** The keys of each table, from where the service has them. */
const source: Readonly<Record<string, readonly string[]>> = {
  phoneModels: Object.keys(MODELS),
  profileSentences: Object.keys(profileSettings),
  profileGroups: [...new Set(settings.map(({ group }) => group))],
  relaxedRules: RELAXABLE,
  profileUnits: [...new Set(settings.flatMap(({ rule }) => ('unit' in rule && rule.unit ? [rule.unit] : [])))],
}

const tables = chineseServiceWords
describe('what the service says, in Chinese', () => {
  it('covers exactly the tables that the service has', () => {
    expect(Object.keys(tables).sort()).toEqual(Object.keys(source).sort())
  })

  it.each(Object.entries(tables))('has every key of the table %s, and no other', (name, words) => {
    expect(Object.keys(words).sort()).toEqual([...new Set(source[name])].sort())
  })

  it.each(['profileSentences'] as const)('ends each sentence of %s with a full stop', (name) => {
    expect(Object.values<string>(tables[name]).filter((text) => !text.endsWith('。'))).toEqual([])
  })

  it.each(['phoneModels'] as const)('has no full stop in a title of %s', (name) => {
    expect(Object.values<string>(tables[name]).filter((text) => text.includes('。'))).toEqual([])
  })
})

describe('a text of the service', () => {
  afterEach(() => loadServiceWords('en'))

  it('is the service’s own on an English page', () => {
    expect(said('phoneModels', 'long-id', 'Long ID')).toEqual({ children: 'Long ID' })
  })

  it('is Chinese on a Chinese page', async () => {
    await loadServiceWords('zh')
    expect(said('profileUnits', 's', 's')).toEqual({ children: '秒' })
  })

  it('is marked as English on a Chinese page that does not know it', async () => {
    await loadServiceWords('zh')
    expect(said('profileUnits', 'constructor', 'New here')).toEqual({ children: 'New here', lang: 'en' })
  })
})

describe('a refusal', () => {
  it('is said by its code, with its reason', () => {
    const reason = { code: 'credentials_held', params: { count: 20, limit: 20 } } as const
    const words = refusalWords({ code: 40901, data: { reason } })
    expect(words).toBe(`${messages.errors.credential_limit} ${textOf(messages.reasons, reason)}`)
    expect(refusalWords({ code: 40402 })).toBe(messages.errors.message_not_found)
  })

  it('of a phone is said by the phone’s own word', () => {
    expect(refusalWords({ code: 40906, data: { word: 'lost' } })).toBe(messages.phoneProblems.lost)
  })

  it('with a reason from elsewhere is said by what is known of it', () => {
    for (const reason of [
      { code: 'field_unfit' },
      { code: 'field_unfit', params: 7 },
      { code: 'none' },
      'text',
      null,
    ]) {
      const words = refusalWords({ code: 40002, data: { reason } })
      expect(words.startsWith(messages.errors.invalid_parameter)).toBe(true)
    }
  })

  it('with a code that only a newer service has is said as that service says it', () => {
    expect(refusalWords({ code: 49999, error: 'New.' })).toBe('New.')
  })
})
