import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { AccessKeyState, ControlPhone, RpState } from '../../../src-main/core/contract/control/states.ts'
import { describeFault, FAULTS } from '../../../src-main/phones/authenticator/faults.ts'
import type { ListedFault } from '../../../src-renderer/faults/fault-entries.ts'
import { findEntries } from '../../../src-renderer/palette/entries.ts'
import { createSource, type Finding, type FindingSource } from '../../../src-renderer/palette/found/finding.ts'
import { phonesSource } from '../../../src-renderer/palette/found/phones.ts'
import {
  ceremoniesSource,
  DOCUMENTS,
  documentsSource,
  exchangesSource,
  faultsSource,
  placesSource,
  rpsSource,
  settingsSource,
  snapshotsSource,
  type TimelineContext,
} from '../../../src-renderer/palette/found/use-sources.ts'
import { parseQuery } from '../../../src-renderer/palette/rank.ts'
import { formatAddress } from '../../../src-renderer/ui/address.ts'
import { workOf } from '../../support/work-of.ts'
import { call, move, record, timelineOf } from '../fixture.ts'

const pathOf = ({ to }: Finding): string => ('address' in to ? formatAddress(to.address) : 'no address')

/** Where the best of what is found leads. */
const bestIn = (source: FindingSource, typed: string): string | undefined => {
  const [best] = [...source.find(parseQuery(typed))].sort((a, b) => b.match.score - a.match.score)
  return best === undefined ? undefined : pathOf(best.finding)
}

const findings = (...titles: readonly string[]): readonly Finding[] =>
  titles.map((title) => ({ key: title, title, leads: '', to: { address: { screen: 'bench' } } }))

const titles = (source: FindingSource, typed: string): readonly string[] =>
  [...source.find(parseQuery(typed))].sort((a, b) => b.match.score - a.match.score).map(({ finding }) => finding.title)

it('what is found comes by identifier first, then by the beginnings of words, then by their middle, then by other words', () => {
  const source = createSource('settings', [
    ...findings('Unclock', 'The clock'),
    { ...findings('Elsewhere')[0], also: 'clock' } as Finding,
    { ...findings('Longer')[0], ids: ['clock_skew'] } as Finding,
    { ...findings('Whole')[0], ids: ['clock'] } as Finding,
  ])
  expect(titles(source, ' Clock ')).toEqual(['Whole', 'Longer', 'The clock', 'Unclock', 'Elsewhere'])
  expect(titles(source, 'clock the')).toEqual(['The clock'])
  expect(titles(source, 'clocks')).toEqual([])
})

it('what is found is marked where the words stand, signs outside the basic plane included', () => {
  const [found] = createSource('settings', findings('😀 the clock')).find(parseQuery('clo the'))
  expect(found?.match.at).toEqual([6, 7, 8, 2, 3, 4])
})

it('what is found is not listed before anything is asked for, and is listed six times at most', () => {
  const many = createSource('settings', findings(...Array.from({ length: 20 }, (_, n) => `clock ${n}`)))
  expect(findEntries([], '', [many])).toEqual([])
  expect(findEntries([], 'clock', [many]).map(({ entries }) => entries.length)).toEqual([6])
})

it.each<[string, string, FindingSource?]>([
  ['clock_skew_s', '/console/profile/clock_skew_s'],
  ['message_ttl', '/console/profile/message_ttl_s'],
  ['time to answer', '/console/profile/message_ttl_s'],
  ['rate limit', '/console/profile/rate_limit_per_minute'],
  ['trust', '/console/roots', placesSource()],
  ['import', '/console/workspaces', placesSource()],
  ['latency', '/console/time', placesSource()],
  ['network', '/console/time', placesSource()],
  ['slow', '/console/time', placesSource()],
])('what is found for %s is the setting or part of the console at %s', (typed, path, source = settingsSource()) => {
  expect(bestIn(source, typed)).toBe(path)
})

it('settings and places: each setting of each phone, by its name and by the phone', () => {
  const alice = { id: 'ph_1', name: 'Alice', model: 'pixel', account: { name: 'Alice', phone: '138****5678' } }
  const source = phonesSource([alice as ControlPhone, { ...alice, id: 'ph_2', name: 'Bo' } as ControlPhone])
  expect(bestIn(source, 'bo')).toBe('/console/phones/ph_2/name')
  expect(bestIn(source, 'alice offline')).toBe('/console/phones/ph_1/online')
  expect(bestIn(source, 'bo respond')).toBe('/console/phones/ph_2/answer')
  expect(bestIn(source, 'carla')).toBeUndefined()
})

it('settings and places: an RP by its origin, an access key by its beginning, a snapshot by its name', () => {
  const rp = { id: 'rp_1', name: 'Bank', rp_id: 'bank.example', origins: ['https://pay.bank.example'] } as unknown
  const key = { id: 'AK7QPM2X', rp: 'rp_1', state: 'active' } as AccessKeyState
  const source = rpsSource([rp as RpState], [key])
  expect(bestIn(source, 'pay.bank')).toBe('/console/rp/rp_1')
  expect(bestIn(source, 'ak7q')).toBe('/console/rp/rp_1/AK7QPM2X')
  expect(bestIn(snapshotsSource([{ id: 'sn_1', name: 'Before', created_at: 0 }]), 'befo')).toBe('/console/time/sn_1')
})

it('documents are called what they call themselves, and all that explain how to use it are there', () => {
  const titles = DOCUMENTS.map(([name]) => /^# (.+)$/m.exec(readFileSync(`docs/${name}.md`, 'utf8'))?.[1])
  expect(titles).toEqual(DOCUMENTS.map(([, title]) => title))
  const there = ['', 'using/', 'interface/'].flatMap((folder) =>
    readdirSync(`docs/${folder}`).flatMap((name) => (name.endsWith('.md') ? [folder + name.slice(0, -3)] : [])),
  )
  expect(DOCUMENTS.map(([name]) => name).sort()).toEqual(there.filter((name) => !/^performance-/.test(name)).sort())
})

const alice = { id: 'ph_1', name: 'Alice' } as ControlPhone
const listed = Object.values(FAULTS).map(describeFault) as unknown as readonly ListedFault[]
const found = (typed: string) =>
  findEntries([], typed, [faultsSource([alice], listed), documentsSource()]).flatMap(({ entries }) => entries)

it.each([
  ['40104', 'faults-phone-signature-tampered'],
  ['40001', 'faults-phone-upload-not-json'],
  ['40103', 'documents-errors'],
  ['errors', 'documents-errors'],
  ['signature-tampered', 'faults-phone-signature-tampered'],
  ['timeout', 'faults-timeout-too-early'],
])('faults: the bare word %s leads first to %s', (typed, first) => {
  expect(found(typed)[0]?.key).toBe(first)
})

it('faults of a phone say their group and what a server should do, as those of the service do', () => {
  const leads = (typed: string) => found(typed)[0]?.leads
  expect(leads('user-of-another')).toBe('Who signed in · Your server should: refuse it')
  expect(leads('signature-tampered')).toBe('Alice · Signature · Your server should: refuse it')
  // Until the service has told what they are, they are found by their names.
  expect(faultsSource([alice]).find(parseQuery('signature-tampered'))).toHaveLength(2)
})

const id = (n: number): string => `M${String(n).padStart(21, '0')}`

const recorded = (count: number): TimelineContext => {
  const events = record(
    Array.from({ length: count }, (_, n) => {
      const user = n === 7 ? 'zoe' : `user-${n % 50}`
      return [
        [n, move({ msgId: id(n), to: 'init', cause: `ask_${n}`, method: 'push', user })],
        [n, call({ id: `ask_${n}`, line: 'POST /fido/rp/assertion/options', msgId: id(n), code: n === 9 ? 40104 : 0 })],
        [n, call({ id: `read_${n}`, line: `GET /fido/rp/assertion/result?msg_id=${id(n)}`, msgId: id(n) })],
      ] as const
    }).flat(),
  )
  return { timeline: timelineOf(events), rpName: () => 'Demo RP', addressOf: (about) => ({ screen: 'bench', about }) }
}

const few = recorded(12)

it.each([
  [id(3), `/c/${id(3)}`],
  [id(3).slice(0, 20).toLowerCase(), `/c/${id(11)}`],
  ['zoe push', `/c/${id(7)}`],
  ['demo', `/c/${id(11)}`],
  ['nobody', undefined],
])('what is found for %s is the ceremony at %s', (typed, path) => {
  expect(bestIn(ceremoniesSource(few), typed)).toBe(path)
})

it.each([
  ['40104', '/e/29'],
  ['29', '/e/29'],
  ['#30', '/e/30'],
  ['assertion/options zoe', '/e/23'],
  ['zoe', undefined],
  ['9999', undefined],
])('what is found for %s is the exchange at %s', (typed, path) => {
  expect(bestIn(exchangesSource(few), typed)).toBe(path)
})

it('ceremonies and exchanges are searched with little work where there are 10,000, found or not', async () => {
  const many = recorded(5_000)
  const sources = [ceremoniesSource(many), exchangesSource(many)]
  findEntries([], 'made ready', sources)
  // It takes 1 to 8 ms: a page draws each 16 ms.
  for (const typed of ['zo', 'zoe x', 'nowhere at all', '40104', id(1)])
    expect(await workOf(() => findEntries([], typed, sources)), typed).toBeLessThan(160)
})
