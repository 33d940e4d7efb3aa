import { expect, it } from 'vitest'
import * as chineseServiceWords from '../../src-main/core/messages/zh/service-words.ts'
import { readingTime } from '../../src-renderer/presenter/story-step.ts'
import { chooseLanguage } from '../../src-renderer/ui/language.ts'
import { english } from '../../src-renderer/ui/texts-en.ts'
import { chinese } from '../../src-renderer/ui/texts-zh.ts'
import { OTHER_CHINESE_WORDS } from '../support/other-chinese-words.ts'

type Words = string | ((...args: never[]) => string)

/** Every text of a table by its path. */
const textsOf = (table: object, path = ''): readonly (readonly [string, Words])[] =>
  Object.entries(table).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? textsOf(value, `${path}${key}.`)
      : [[`${path}${key}`, value as Words] as const],
  )

const source = textsOf(english)
const translated = textsOf(chinese)
/** With what the page says in the place of the service. */
const all = [...translated, ...textsOf(chineseServiceWords, 'service.')]

/** The interface's own words, names, and signs: the same in every language. */
const SAME = [
  /^product$/,
  /^gate\.\w+\.command$/,
  /^frame\.(speed|mobile\.rp)$/,
  /^rp\.done\.(balance|otherBalance|items\.\d\.amount)$/,
  /^phone\.app$/,
  /^timeline\.(rp|groupLabel|lanes\.rp)$/,
  /^inspector\.facts\.rp$/,
  /^console\.(newRp\.rpId|rp\.rpId|rootsPage\.pemShape)$/,
]

const isSame = (path: string): boolean => SAME.some((pattern) => pattern.test(path))

/** A stand-in for each argument: anything may be read of it, and what it is can be found again in the words. */
const argument = (nth: number): object =>
  new Proxy({}, { get: (_, key) => (key === Symbol.toPrimitive ? () => String(900 + nth) : `${String(key)}-${nth}`) })

const said = (words: Words): string =>
  typeof words === 'string'
    ? words
    : (words as (...args: unknown[]) => string)(...Array.from({ length: words.length }, (_, nth) => argument(nth)))

it('the Chinese words are Chinese, but for the words that no language changes', () => {
  // In Chinese a relying party is always called an RP.
  const isSign = (text: string) => /^(\p{P}+|RP)$/u.test(text)
  const english = all.filter(
    ([path, words]) => !/\p{Script=Han}/u.test(said(words)) && !isSame(path) && !isSign(said(words)),
  )
  expect(english.map(([path]) => path)).toEqual([])
  const changed = source.filter(
    ([path, words]) => isSame(path) && said(words) !== said(new Map(translated).get(path) ?? ''),
  )
  expect(changed.map(([path]) => path)).toEqual([])
})

it('the Chinese words say every argument that the English ones say', () => {
  const words = new Map(translated)
  const lost = source.flatMap(([path, original]) => {
    const other = words.get(path)
    if (typeof original === 'string') return typeof other === 'string' ? [] : [path]
    const marks = (text: string) => (text.match(/90\d|\w+-\d/g) ?? []).sort()
    if (typeof other !== 'function' || other.length !== original.length) return [path]
    return JSON.stringify(marks(said(other))) === JSON.stringify(marks(said(original))) ? [] : [path]
  })
  expect(lost).toEqual([])
})

it('the Chinese words use the full stops and commas of Chinese between its characters', () => {
  expect(all.filter(([, words]) => /\p{Script=Han}[,.;:?!]/u.test(said(words)))).toEqual([])
})

it('the Chinese words leave a space between Chinese and Latin', () => {
  const tight = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u
  expect(all.filter(([path, words]) => !path.startsWith('palette.also') && tight.test(said(words)))).toEqual([])
})

it('the Chinese words have one word for one thing', () => {
  const others = OTHER_CHINESE_WORDS
  const left = all.filter(([, words]) => others.test(said(words).replaceAll('其中没有秘密', '')))
  expect(left.map(([path]) => path)).toEqual([])
})

it('the Chinese words set a name apart only where it is in Latin letters', () => {
  expect(chinese.phone.scan('Alice')).toBe('用 Alice 的手机扫码')
  expect(chinese.phone.scan('小雅')).toBe('用小雅的手机扫码')
  expect(chinese.phone.request.signIn('Demo RP')).toBe('登录 Demo RP？')
})

it('the Chinese words are given time to be read, though no spaces part them', () => {
  expect(readingTime(chinese.presenter.says.key.key)).toBeGreaterThan(4000)
})

it.each([
  [null, ['zh-CN', 'en'], 'zh'],
  [null, ['fr-FR', 'zh-Hans-CN', 'en'], 'zh'],
  [null, ['en-US', 'zh-CN'], 'en'],
  [null, ['fr-FR'], 'en'],
  [null, [], 'en'],
  ['en', ['zh-CN'], 'en'],
  ['zh', ['en-GB'], 'zh'],
  ['tlh', ['zh-CN'], 'zh'],
])('the language chosen before %s, in a browser that prefers %j, is %s', (stored, preferred, language) => {
  expect(chooseLanguage(stored, preferred)).toBe(language)
})

it('a phone that is called a phone is not called one twice', () => {
  const names = ['Alice', 'Alice’s phone', 'Telephone'].map(english.frame.lies.phone)
  expect(names).toEqual(['Alice’s phone', 'Alice’s phone', 'Telephone’s phone'])
})
