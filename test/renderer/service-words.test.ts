import { afterEach, describe, expect, it } from 'vitest'
import { MODELS } from '../../src-main/authenticator/models.ts'
import { errors } from '../../src-main/contract/errors.ts'
import { type ProfileSetting, profileSettings, RELAXABLE } from '../../src-main/contract/profile.ts'
import { chineseServiceWords } from '../../src-renderer/ui/chinese/service-words.ts'
import { messages } from '../../src-renderer/ui/messages.ts'
import { loadServiceWords, said, saidRefusal } from '../../src-renderer/ui/service-words.ts'

const settings: readonly ProfileSetting[] = Object.values(profileSettings)

/** The keys of each table, from where the service has them. */
const source: Readonly<Record<string, readonly string[]>> = {
  errors: Object.keys(errors),
  phoneModels: Object.keys(MODELS),
  profileSentences: Object.keys(profileSettings),
  profileGroups: [...new Set(settings.map(({ group }) => group))],
  relaxedRules: RELAXABLE,
  profileUnits: [...new Set(settings.flatMap(({ rule }) => ('unit' in rule && rule.unit ? [rule.unit] : [])))],
}

const tables = chineseServiceWords
const texts = Object.entries(tables).flatMap(([table, words]) =>
  Object.entries(words).map(([key, text]) => [`${table}.${key}`, text] as const),
)

describe('what the service says, in Chinese', () => {
  it('covers exactly the tables that the service has', () => {
    expect(Object.keys(tables).sort()).toEqual(Object.keys(source).sort())
  })

  it.each(Object.entries(tables))('has every key of the table %s, and no other', (name, words) => {
    expect(Object.keys(words).sort()).toEqual([...new Set(source[name])].sort())
  })

  it('is Chinese throughout', () => {
    expect(texts.filter(([, text]) => !/\p{Script=Han}/u.test(text))).toEqual([])
  })

  it('has the full stops and commas of Chinese', () => {
    expect(texts.filter(([, text]) => /\p{Script=Han}[,.;:?!()]|[,.;:?!()]\p{Script=Han}/u.test(text))).toEqual([])
  })

  it('leaves a space between Chinese and Latin', () => {
    expect(texts.filter(([, text]) => /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u.test(text))).toEqual([])
  })

  it.each(['errors', 'profileSentences'] as const)('ends each sentence of %s with a full stop', (name) => {
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

  it('says a refusal by its code, with its particulars as the service said them', async () => {
    const refusal = { code: 40901, error: `${errors.credential_limit.sentence} It has 20; 20 are allowed.` }
    expect(saidRefusal(refusal)).toEqual({ sentence: { children: refusal.error } })
    await loadServiceWords('zh')
    expect(saidRefusal(refusal)).toEqual({
      sentence: { children: '该用户的凭据已达数量上限。' },
      detail: { children: 'It has 20; 20 are allowed.', lang: 'en' },
    })
    expect(saidRefusal({ code: 40402, error: errors.message_not_found.sentence })).toEqual({
      sentence: { children: '没有这样的消息。' },
    })
  })

  it('says why a phone refused by the phone’s own word', () => {
    const refusal = { code: 40906, error: `${errors.phone_refused.sentence} More.`, data: { word: 'lost' } }
    expect(saidRefusal(refusal).sentence).toEqual({ children: messages.phoneProblems.lost })
  })
})
