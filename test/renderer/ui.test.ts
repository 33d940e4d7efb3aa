import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { normalConditions } from '../../src-main/core/contract/conditions.ts'
import { isPageAddress } from '../../src-main/core/contract/page-address.ts'
import { type ProfileSetting, profileSettings, RELAXABLE } from '../../src-main/core/contract/profile.ts'
import * as chineseServiceWords from '../../src-main/core/messages/zh/service-words.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { MODELS } from '../../src-main/phones/authenticator/models.ts'
import { verdictText } from '../../src-main/views/timeline/said.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import { conditionsName, groupTitle, methodWord, rowWords, timeTaken } from '../../src-renderer/bench/words.ts'
import { type Address, formatAddress, parseAddress } from '../../src-renderer/ui/address.ts'
import { readWorkspaceFile, workspaceFileName } from '../../src-renderer/ui/files.ts'
import { elapsed, minuteSecond, offset, took } from '../../src-renderer/ui/format.ts'
import { layoutSheet } from '../../src-renderer/ui/layout.ts'
import { messages, refusalWords } from '../../src-renderer/ui/messages.ts'
import { loadServiceWords, translate } from '../../src-renderer/ui/service-words.ts'
import { INITIAL_SCRIPT_GOAL, initialScripts } from '../benchmarks/page-script.ts'
import { record, registration, timelineOf } from './fixture.ts'

it('a workspace’s file is called after it and the day', () => {
  expect(workspaceFileName('main', Date.UTC(2026, 4, 4, 23))).toBe('main-2026-05-04.json')
  expect(workspaceFileName('a b/../c', Date.UTC(2026, 4, 4))).toBe('a-b-c-2026-05-04.json')
})

it('only an object is a workspace', () => {
  expect(readWorkspaceFile('{"version":1}')).toEqual({ version: 1 })
  for (const text of ['', '[]', 'null', '"x"', '{']) expect(readWorkspaceFile(text), text).toBeUndefined()
})

const ID = 'AAAAAAAAAAAAAAAAAAAAAA'

const cases: readonly (readonly [string, Address])[] = [
  ['/', { screen: 'bench' }],
  ['/?q=is%3Afailed', { screen: 'bench', search: 'is:failed' }],
  [`/c/${ID}/steps`, { screen: 'bench', about: { msgId: ID, tab: 'steps' } }],
  ['/e/12', { screen: 'bench', about: { seq: 12 } }],
  ['/console', { screen: 'console' }],
  ['/console/rp/rp_1/AK7Q', { screen: 'console', place: { kind: 'rp', id: 'rp_1', part: 'AK7Q' } }],
  ['/console/profile/clock_skew_s', { screen: 'console', place: { kind: 'profile', id: 'clock_skew_s' } }],
  ['/console/phones/ph_1/answer', { screen: 'console', place: { kind: 'phones', id: 'ph_1', part: 'answer' } }],
  ['/present', { screen: 'presenter', chapter: 'key', opening: true }],
  ['/present/thief', { screen: 'presenter', chapter: 'thief' }],
  ['/present/thief/notes', { screen: 'presenter', chapter: 'thief', notes: true }],
  [`/trace/${ID}`, { screen: 'trace', trace: ID, name: '' }],
  [`/trace/${ID}?name=a.handset&q=rp%3Ademo`, { screen: 'trace', trace: ID, name: 'a.handset', search: 'rp:demo' }],
  [
    `/trace/${ID}/e/7/response?name=a+%26+b.handset`,
    { screen: 'trace', trace: ID, name: 'a & b.handset', about: { seq: 7, tab: 'response' } },
  ],
]

it.each(cases)('an address: %s is read and written alike, and the service shows the page there', (text, address) => {
  const [path = '', query] = text.split('?')
  expect(parseAddress(path, query)).toEqual(address)
  expect(formatAddress(address)).toBe(text)
  expect(isPageAddress(path)).toBe(path !== '/')
})

it.each(['/e/x', '/c', '/console/nowhere', '/index.html'])('the address %s leads to the top of its screen', (path) => {
  expect([{ screen: 'bench' }, { screen: 'console' }]).toContainEqual(parseAddress(path))
})

it('an address: a mistyped one asks for what is not there, so that the page says so', () => {
  expect(parseAddress('/cnsole/profile')).toEqual({ screen: 'bench', about: { msgId: 'cnsole' } })
})

it.each(['/e/../secret', `/trace/${'A'.repeat(65)}`, '/c/a/b/c/d/e', '/assets/x.js', '/e/%2e%2e'])(
  'an address: the page does not stand at %s',
  (path) => {
    expect(isPageAddress(path)).toBe(false)
  },
)

const { groups } = timelineOf(record(registration()))
const group = groups.at(0)

it('a group of rows says what it is about and how it ended', () => {
  expect(group && groupTitle(group)).toEqual({ title: 'Register', sub: 'alice by QR code' })
  const said = (message: Message) => [verdictText(message), methodWord(message), timeTaken(message, 0)]
  expect(group?.message && said(group.message)).toEqual(['success', 'QR code', '5.9 s'])
})

it('a group of rows has a plain word for every row', () => {
  expect(group?.rows.map(rowWords)).toEqual([
    'Ask to register',
    'Poll',
    'Scanned',
    'Poll',
    'Registers passkey',
    'Read the result',
  ])
})

it('numbers are written in one way', () => {
  expect([minuteSecond(144_000), minuteSecond(0), minuteSecond(3_725_000)]).toEqual(['2:24', '0:00', '1:02:05'])
  expect([elapsed(6208), elapsed(48_000), elapsed(185_000)]).toEqual(['6.2 s', '48 s', '3:05'])
  expect([offset(0), offset(5874), offset(125_874)]).toEqual(['00.000', '05.874', '2:05.9'])
  expect([took(3800), took(169_000), took(12_000_000)]).toEqual(['3.8 ms', '169 ms', '12 s'])
})

it.each([
  ['normal', {}],
  ['slow', { latency_ms: 200 }],
  ['unreliable', { latency_ms: 200, lose_next: 1 }],
  ['outage', { lose_percent: 5, fail_percent: 1 }],
])('the sky is %s by the worst that is ordered', (name, order) => {
  expect(conditionsName({ ...normalConditions, app: { ...normalConditions.app, ...order } })).toBe(name)
})

const settings: readonly ProfileSetting[] = Object.values(profileSettings)

/** The keys of each table, from where the service has them. */
const source: Readonly<Record<string, readonly string[]>> = {
  phoneModels: Object.keys(MODELS),
  profileNames: Object.keys(profileSettings),
  profileSentences: Object.keys(profileSettings),
  profileGroups: [...new Set(settings.map(({ group }) => group))],
  relaxedRules: RELAXABLE,
  profileUnits: [...new Set(settings.flatMap(({ rule }) => ('unit' in rule && rule.unit ? [rule.unit] : [])))],
}

const tables = chineseServiceWords
it('what the service says, in Chinese, covers exactly the tables that the service has', () => {
  expect(Object.keys(tables).sort()).toEqual(Object.keys(source).sort())
})

it.each(Object.entries(tables))('Chinese has every key of the table %s, and no other', (name, words) => {
  expect(Object.keys(words).sort()).toEqual([...new Set(source[name])].sort())
})

it('what the service says, in Chinese, ends a sentence with a full stop, and no title', () => {
  expect(Object.values<string>(tables.profileSentences).filter((text) => !text.endsWith('。'))).toEqual([])
  expect(Object.values<string>(tables.phoneModels).filter((text) => text.includes('。'))).toEqual([])
})

describe('a text of the service', () => {
  afterEach(() => loadServiceWords('en'))

  it('is the service’s own on an English page, and on a Chinese page Chinese or marked as English', async () => {
    expect(translate('phoneModels', 'long-id', 'Long ID')).toEqual({ children: 'Long ID' })
    await loadServiceWords('zh')
    expect(translate('profileUnits', 's', 's')).toEqual({ children: '秒' })
    expect(translate('profileUnits', 'constructor', 'New here')).toEqual({ children: 'New here', lang: 'en' })
  })
})

it('a refusal is said by its code, with its reason', () => {
  const reason = { code: 'credentials_held', params: { count: 20, limit: 20 } } as const
  const words = refusalWords({ code: 40901, data: { reason } })
  expect(words).toBe(`${messages.errors.credential_limit} ${textOf(messages.reasons, reason)}`)
  expect(refusalWords({ code: 40402 })).toBe(messages.errors.message_not_found)
})

it('a refusal of a phone is said by the phone’s own word', () => {
  expect(refusalWords({ code: 40906, data: { word: 'lost' } })).toBe(messages.phoneProblems.lost)
})

it('a refusal with a reason from elsewhere is said by what is known of it', () => {
  for (const reason of [{ code: 'field_unfit' }, { code: 'field_unfit', params: 7 }, { code: 'none' }, 'text', null]) {
    const words = refusalWords({ code: 40002, data: { reason } })
    expect(words.startsWith(messages.errors.invalid_parameter)).toBe(true)
  }
})

it('a refusal with a code that only a newer service has is said as that service says it', () => {
  expect(refusalWords({ code: 49999, error: 'New.' })).toBe('New.')
})

const css = readFileSync(join(import.meta.dirname, '../../src-renderer/ui/tokens.css'), 'utf8')

/** A colour for both themes, or one for each. */
const colours = [...css.matchAll(/--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g)]
const themes = {
  light: Object.fromEntries(colours.map(([, name, light = '']) => [name, light])),
  dark: Object.fromEntries(colours.map(([, name, light = '', dark = light]) => [name, dark])),
}

/** WCAG 2.2, relative luminance. */
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (a: string, b: string): number => {
  const [dark = 0, bright = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (bright + 0.05) / (dark + 0.05)
}

/** Text on what it stands on. */
const texts = [
  ...['bench', 'surface', 'surface-2', 'surface-3', 'raised'].flatMap((ground) =>
    ['text', 'text-2', 'text-3'].map((ink) => [ink, ground] as const),
  ),
  ['accent', 'surface'],
  ['accent', 'accent-soft'],
  ['accent', 'os'],
  ['on-accent', 'accent-fill'],
  ['text-2', 'accent-soft'],
  ...(['ok', 'fail', 'warn', 'fault'] as const).flatMap((tone) => [
    [tone, 'surface'] as const,
    [tone, `${tone}-soft`] as const,
  ]),
  ['on-fail', 'fail-fill'],
  ['bank-text', 'bank-page'],
  ['bank-text', 'bank-soft'],
  ['bank-text-2', 'bank-page'],
  ['bank-text-2', 'bank-soft'],
  ['fail', 'bank-soft'],
  ['ok', 'bank-soft'],
  ['warn', 'bank-soft'],
  ['accent', 'bank-soft'],
  ['on-bank', 'bank'],
  ['text-2', 'chrome'],
  ['os-text', 'os'],
  ['os-text', 'os-card'],
  ['os-text-2', 'os'],
  ['os-text-2', 'os-card'],
  ['qr-ink', 'qr-paper'],
] as const

/** Graphics that carry a meaning. */
const graphics = [
  ['idle', 'surface'],
  ['idle', 'bank-soft'],
  ['accent', 'bench'],
  ['ok-fill', 'surface'],
  ['fail-fill', 'surface'],
  ['warn-fill', 'surface'],
] as const

describe.each(Object.entries(themes))('the %s theme', (_, theme) => {
  const ratio = ([ink, ground]: readonly [string, string]) => contrast(theme[ink] ?? '', theme[ground] ?? '')

  it('has no text below 4.5 to 1', () => {
    expect(texts.filter((pair) => !(ratio(pair) >= 4.5))).toEqual([])
  })

  it('has no telling graphic below 3 to 1', () => {
    expect(graphics.filter((pair) => !(ratio(pair) >= 3))).toEqual([])
  })
})

const ROOT = join(import.meta.dirname, '../..')

const filesOf = (...patterns: readonly string[]): ReadonlyMap<string, string> =>
  new Map(patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).map((file) => [file, read(file)] as const)))
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const wordsBy = (pattern: RegExp, texts: Iterable<string>): ReadonlySet<string> =>
  new Set([...texts].flatMap((text) => [...text.matchAll(pattern)].map(([, word = '']) => word)))

const sheets = filesOf('src-renderer/**/*.css')
/** Without the table of the primitives, since what it names is not thereby used. */
const code = filesOf('src-renderer/**/!(layout).{ts,tsx}')
const modules = [...sheets].filter(([file]) => file.endsWith('.module.css'))
const layout = layoutSheet([...code.values(), ...sheets.values()])
const globals = [layout, ...[...sheets].filter(([file]) => !file.endsWith('.module.css')).map(([, css]) => css)]

/** Of selectors alone: comments and values hold dots too. */
const selectorsOf = (css: string): string => css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\{[^{}]*\}/g, '{')
const CLASS = /\.([a-z][a-z0-9-]*)/g
const inGlobal = /:global\(\.([a-z-]+)\)/g
const camelCase = (name: string): string => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** By module: the names that components take from it. */
const taken = new Map<string, Set<string>>()
for (const [file, text] of code) {
  for (const [, name = '', from = ''] of text.matchAll(/^import (\w+) from '(.*\.module\.css)'$/gm)) {
    const module = normalize(join(dirname(file), from))
    const names = taken.get(module) ?? new Set()
    for (const word of wordsBy(new RegExp(`\\b${name}\\.(\\w+)`, 'g'), [text])) names.add(word)
    taken.set(module, names)
  }
}

it('a style module has every class that a component takes from it, and no other', () => {
  expect(modules.length).toBeGreaterThan(50)
  for (const [file, css] of modules) {
    const own = wordsBy(CLASS, [selectorsOf(css).replaceAll(inGlobal, '')])
    expect([...own].map(camelCase).toSorted(), file).toEqual([...(taken.get(file) ?? [])].toSorted())
  }
})

it('a style module has a name of its own, since the names of its classes begin with it', () => {
  const names = modules.map(([file]) => basename(file))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

const all = wordsBy(CLASS, globals.map(selectorsOf))

const composed = wordsBy(/composes: (.*) from global/g, sheets.values())

it('a class for the whole page is used by some component', () => {
  const words = wordsBy(/([a-z][a-z0-9-]*)/g, [...code.values(), ...composed])
  expect(all.size).toBeGreaterThan(5)
  expect([...all].filter((name) => !words.has(name))).toEqual([])
})

it('a class for the whole page is in a global sheet wherever a component or a module names one', () => {
  const literal = wordsBy(/className="([^"]*)"/g, code.values())
  const template = wordsBy(/className=\{`([^`]*)`\}/g, code.values())
  const named = [...literal, ...[...template].map((text) => text.replaceAll(/\$\{[^}]*\}/g, ''))]
  const words = [...named, ...composed].flatMap((text) => text.split(' ').filter(Boolean))
  const asked = [...words, ...wordsBy(inGlobal, sheets.values())]
  expect([...new Set(asked)].filter((name) => !all.has(name))).toEqual([])
})

const set = wordsBy(
  /\bdata-part="([a-z-]+)"/g,
  [...code].filter(([file]) => file.endsWith('.tsx')).map(([, text]) => text),
)
const ASKED = /\[data-part="?([a-z-]+)"?\]/g
const askers = [...sheets.values(), ...code.values(), ...filesOf('test/e2e/**/*.ts', 'test/benchmarks/*.ts').values()]

it('a part of the page that others address is there', () => {
  expect([...wordsBy(ASKED, askers)].filter((part) => !set.has(part))).toEqual([])
})

it('a part of the page that others address is addressed', () => {
  const lists = wordsBy(/'([a-z-]+)'/g, askers)
  const asked = wordsBy(ASKED, askers)
  expect([...set].filter((part) => !asked.has(part) && !lists.has(part))).toEqual([])
})

const built = join(import.meta.dirname, '../../out/renderer')

// `npm test` builds the page first.
it.skipIf(!existsSync(join(built, 'index.html')))('the page needs less script than its goal to show anything', () => {
  const scripts = initialScripts(built)
  const sizes = scripts.map(({ name, gzipped }) => `${name}: ${gzipped}`)
  const gzipped = scripts.reduce((sum, script) => sum + script.gzipped, 0)
  expect(gzipped, sizes.join(', ')).toBeGreaterThan(50_000)
  expect(gzipped, sizes.join(', ')).toBeLessThan(INITIAL_SCRIPT_GOAL)
})
