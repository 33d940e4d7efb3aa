import { useEffect, useEffectEvent, useState } from 'react'
import type { AccessKeyState, ControlPhone, RpState } from '../../../src-main/core/contract/control/states.ts'
import { errors } from '../../../src-main/core/contract/errors.ts'
import { FAULT_NAMES } from '../../../src-main/core/contract/faults.ts'
import { PROFILE_KEYS, profileSettings } from '../../../src-main/core/contract/profile.ts'
import { failureWord } from '../../../src-main/core/protocol/message-state.ts'
import type { ControlClient } from '../../../src-main/sdk/client.ts'
import { searchTextOf } from '../../../src-main/views/timeline/filter.ts'
import type { Group, Look, Message, Row, Timeline } from '../../../src-main/views/timeline/timeline.ts'
import type { BenchStore } from '../../bench/bench-store.ts'
import { useTools } from '../../bench/use-bench.ts'
import { groupTitle, rowWords } from '../../bench/words.ts'
import { setBreakTarget } from '../../faults/breaking.ts'
import {
  type FaultEntry,
  faultSearchText,
  type ListedFault,
  phoneEntries,
  serviceEntries,
} from '../../faults/fault-entries.ts'
import { type About, type Address, addressAbout, CONSOLE_PLACES } from '../../ui/address.ts'
import { runAfter, whenDone } from '../../ui/effects.ts'
import { dateAndTime, hourMinuteSecond } from '../../ui/format.ts'
import { faultText, messages } from '../../ui/messages.ts'
import { translateText } from '../../ui/service-words.ts'
import { texts } from '../../ui/texts.ts'
import { currentAddress } from '../../ui/use-address.ts'
import type { Scene } from '../desk.ts'
import { parseQuery, type Query, rankMatch, toSearchable } from '../rank.ts'
import { createSource, type FindingSource, once, type RankedFinding } from './finding.ts'
import { phonesSource } from './phones.ts'

/** Fixed when the palette opens, so that results do not move while the user reads. */
export const useSources = (scene: Scene, trace: BenchStore | undefined): readonly FindingSource[] => {
  const { api, store } = useTools()
  const [opened] = useState(() => (trace ?? store).getState())
  const [sources, setSources] = useState((): readonly FindingSource[] => {
    if (scene === 'presenter') return []
    const { timeline, rps, phones } = opened
    const recorded: TimelineContext = {
      timeline,
      rpName: (id) => rps.find((rp) => rp.id === id)?.name ?? '',
      addressOf: (about) => addressAbout(currentAddress(), about),
    }
    const inTimeline = [ceremoniesSource(recorded), exchangesSource(recorded)]
    if (scene === 'trace') return inTimeline
    return [
      ...inTimeline,
      phonesSource(phones),
      rpsSource(rps, []),
      settingsSource(),
      placesSource(),
      faultsSource(phones),
      documentsSource(),
    ]
  })
  const makeReady = useEffectEvent(() => {
    for (const { find } of sources) find(parseQuery(''))
  })
  // Builds the indexes after the palette is drawn and before the first key is pressed.
  useEffect(() => runAfter(0, () => makeReady()), [])
  useEffect(() => {
    if (scene !== 'bench') return
    const add = (more: FindingSource) =>
      setSources((known) =>
        known.some(({ group }) => group === more.group)
          ? known.map((source) => (source.group === more.group ? more : source))
          : [...known, more],
      )
    const { rps, phones, overview } = opened
    const fetched: readonly ((client: ControlClient) => Promise<FindingSource>)[] = [
      async (client) => {
        const lists = await Promise.all(rps.map(({ id }) => client.call('keys.list', { params: { rp: id } })))
        return rpsSource(
          rps,
          lists.flatMap(({ keys }) => keys),
        )
      },
      async (client) => faultsSource(phones, (await client.call('catalogue.faults')).faults),
      async (client) => snapshotsSource((await client.call('snapshots.list')).snapshots),
      async (client) => {
        const { workspaces } = await client.workspace('main').call('workspaces.list')
        return workspacesSource(workspaces, overview?.workspace ?? '')
      },
    ]
    const ends = fetched.map((ask) => whenDone(api.call(ask), (answer) => answer.ok && add(answer.value)))
    return () => {
      for (const end of ends) end()
    }
  }, [api, opened, scene])
  return sources
}

/** `listed`: the phones' faults as the service lists them. */
export const faultsSource = (phones: readonly ControlPhone[], listed: readonly ListedFault[] = []): FindingSource => {
  const { breaking } = texts
  const [phone] = phones
  const adviceOf = ({ group, should }: FaultEntry) => `${group} · ${breaking.should}${messages.shoulds[should]}`
  const ofService = serviceEntries().map((entry) => ({
    key: entry.name,
    title: entry.title,
    leads: adviceOf(entry),
    also: `${entry.search} ${breaking.service}`,
    to: { run: () => setBreakTarget({ of: 'service', fault: entry.name, anchor: anchorOf('timeline') }) },
  }))
  const known = new Map(phoneEntries(listed).map((entry) => [entry.name, entry]))
  const ofPhone =
    phone === undefined
      ? []
      : FAULT_NAMES.map((name) => {
          const entry = known.get(name)
          return {
            key: `phone-${name}`,
            title: faultText(name),
            leads: entry === undefined ? breaking.phone(phone.name) : `${phone.name} · ${adviceOf(entry)}`,
            also: entry?.search ?? faultSearchText(name),
            to: {
              run: () => setBreakTarget({ of: { phone: phone.id }, fault: name, anchor: anchorOf('phone-stand') }),
            },
          }
        })
  return createSource('faults', [...ofService, ...ofPhone])
}

const anchorOf = (part: string): Element | undefined =>
  document.querySelector(`[data-part="${part}"] [data-part="break-button"]`) ?? undefined

export const placesSource = (): FindingSource => {
  const { console: words, frame, palette } = texts
  const names = { ...words, 'new-rp': words.addRp }
  return createSource(
    'places',
    CONSOLE_PLACES.map((kind) => ({
      key: kind,
      title: names[kind],
      leads: frame.console,
      also: `${frame.console} ${palette.found.also[kind] ?? ''}`,
      to: { address: { screen: 'console', place: { kind } } },
    })),
  )
}

export const rpsSource = (rps: readonly RpState[], keys: readonly AccessKeyState[]): FindingSource => {
  const { console: words, frame } = texts
  return createSource('rps', [
    ...(rps.map(({ id, name, rp_id, origins }) => ({
      key: id,
      title: name,
      leads: `${frame.console} · ${words.rps}`,
      ids: [id, rp_id],
      also: `${words.rps} ${origins.join(' ')}`,
      to: { address: { screen: 'console', place: { kind: 'rp', id } } },
    })) satisfies Parameters<typeof createSource>[1]),
    ...(keys.map(({ id, rp, state }) => ({
      key: id,
      title: id,
      leads: `${rps.find((each) => each.id === rp)?.name ?? rp} · ${words.keys.title}`,
      ids: [id],
      also: `${words.keys.title} ${words.keys[state === 'active' ? 'on' : 'off']}`,
      to: { address: { screen: 'console', place: { kind: 'rp', id: rp, part: id } } },
    })) satisfies Parameters<typeof createSource>[1]),
  ])
}

export const settingsSource = (): FindingSource => {
  const { profile } = texts.console
  return createSource(
    'settings',
    PROFILE_KEYS.map((key) => {
      const { group, name, sentence } = profileSettings[key]
      return {
        key,
        title: translateText('profileNames', key, name),
        leads: `${profile} · ${translateText('profileGroups', group, group)}`,
        ids: [key],
        also: `${translateText('profileSentences', key, sentence)} ${sentence}`,
        to: { address: { screen: 'console', place: { kind: 'profile', id: key } } },
      }
    }),
  )
}

type Snapshot = { readonly id: string; readonly name: string; readonly created_at: number }

export const snapshotsSource = (snapshots: readonly Snapshot[]): FindingSource => {
  const { console: words, frame } = texts
  return createSource(
    'snapshots',
    snapshots.map(({ id, name, created_at }) => ({
      key: id,
      title: name,
      leads: `${frame.console} · ${words.snapshots.title} · ${dateAndTime(created_at)}`,
      ids: [id],
      also: words.snapshots.title,
      to: { address: { screen: 'console', place: { kind: 'time', id } } },
    })),
  )
}

const workspacesSource = (workspaces: readonly { readonly id: string }[], here: string): FindingSource =>
  createSource(
    'workspaces',
    workspaces
      .filter(({ id }) => id !== here)
      .map(({ id }) => ({
        key: id,
        title: id,
        leads: texts.palette.found.otherWorkspace,
        ids: [id],
        also: texts.console.workspaces,
        to: { href: `${location.origin}/w/${id}/` },
      })),
  )

/** Documents below docs/ in the repository. Packages do not contain them, and the page loads nothing from elsewhere. */
export const DOCUMENTS: readonly (readonly [path: string, title: string])[] = [
  ['first-five-minutes', 'The first five minutes'],
  ['glossary', 'Glossary'],
  ['architecture', 'How the code is laid out'],
  ['deciding-files', 'Which file decides a rule'],
  ['errors', 'Error codes'],
  ['faults', 'Faults'],
  ['service-faults', 'Faults of the service'],
  ['profile', 'The profile'],
  ['events', 'Events'],
  ['control-routes', 'Routes of the control interface'],
  ['known-flaws', 'Published flaws, and the trials that find them'],
  ['conformance', 'From rule to test'],
  ['second-opinion', 'The second opinion'],
  ['webauthn-servers', 'WebAuthn servers beside each other'],
  ['camera', 'What the camera reads'],
  ['performance', 'Performance'],
  ['releasing', 'Releasing'],
  ['using/check', 'Check a service'],
  ['using/ci', 'In your CI'],
  ['using/command-line', 'The command line'],
  ['using/configuration', 'The configuration file'],
  ['using/control', 'The control interface'],
  ['using/desktop', 'The desktop program'],
  ['using/https', 'https'],
  ['using/image', 'The container image'],
  ['using/judge', 'The judge'],
  ['using/load', 'Load'],
  ['using/operations', 'Running it for others'],
  ['using/page', 'The page'],
  ['using/phones', 'Virtual phones'],
  ['using/postgresql', 'On PostgreSQL'],
  ['using/proxy', 'Between your RP and a service'],
  ['using/runs', 'Runs, reports and replay'],
  ['using/scenarios', 'Scenarios'],
  ['using/sdk', 'The SDK'],
  ['using/selenium', 'Phones with Selenium and WebdriverIO'],
  ['using/service-faults', 'Faults of the service'],
  ['using/sizing', 'How to size it'],
  ['using/teams', 'One bench for a team'],
  ['using/test-fixtures', 'Phones in Playwright and Vitest'],
  ['using/webauthn-servers', 'Check a WebAuthn server'],
  ['interface/phone-app', "The phone's interface"],
  ['interface/relying-party', "The relying party's interface"],
  ['interface/signing', 'Signing a request'],
  ['interface/version-1', 'What version 1 of the contract promises'],
]

/** Maximum number of results, enough for an overview; the timeline’s search shows all of them. */
const MAX_RESULTS = 6

/** Fewest characters that count as the start of a message ID, which has 22. */
const ID_START = 6

export type TimelineContext = {
  readonly timeline: Timeline
  readonly rpName: (id: string) => string
  readonly addressOf: (about: About) => Address
}

/** Newest first. */
export const ceremoniesSource = ({ timeline, rpName, addressOf }: TimelineContext): FindingSource => {
  const ready = once(() => ceremonies(timeline, rpName))
  const found = ({ group, message, id, text }: Ceremony, query: Query): RankedFinding => {
    const name = nameOf(group)
    return {
      finding: {
        key: message.msgId,
        title: name,
        leads: `${texts.timeline.pane} · ${hourMinuteSecond(group.bench)} · ${stateOf(message)}`,
        to: { address: addressOf({ msgId: message.msgId }) },
      },
      match: rankMatch(query, toSearchable(name, [id], text)) ?? { score: 0, at: [] },
    }
  }
  return {
    group: 'ceremonies',
    find: (query) => {
      const { text: start, words } = query
      const all = ready()
      const named = start.length < ID_START ? [] : firstOf(all, ({ id }) => id.startsWith(start))
      const others = firstOf(all, ({ text }) => words.every((word) => text.includes(word)))
      return [...new Set([...named, ...others])].map((each) => found(each, query))
    },
  }
}

type Ceremony = { readonly group: Group; readonly message: Message; readonly id: string; readonly text: string }

const ceremonies = (timeline: Timeline, rpName: TimelineContext['rpName']): readonly Ceremony[] =>
  newestFirst(timeline).flatMap((group) => {
    const { message } = group
    if (message === undefined) return []
    const { msgId, userId, method, rpId, algorithm, error, state } = message
    const text = [nameOf(group), userId, method, rpName(rpId), algorithm, error, state, msgId]
    return { group, message, id: msgId.toLowerCase(), text: text.join(' ').toLowerCase() }
  })

export const exchangesSource = ({ timeline, addressOf }: TimelineContext): FindingSource => {
  const ready = once(() => exchanges(timeline))
  const found = ({ row, group, user }: Exchange, seq: number, query: Query): RankedFinding => {
    const name = user === '' ? rowWords(row) : `${rowWords(row)} · ${group.message?.username}`
    const answer = row.code === 0 || row.code === undefined ? row.status : `${row.status ?? ''} ${row.code}`
    const { exchange } = texts.palette.found
    return {
      finding: {
        key: String(seq),
        title: name,
        leads: `${row.method} ${row.path} · ${answer} · ${hourMinuteSecond(row.bench)} · ${exchange(seq)}`,
        to: { address: addressOf({ seq }) },
      },
      match: rankMatch(query, toSearchable(name, [String(seq)], searchTextOf(row.look, texts.timeline))) ?? {
        score: 0,
        at: [],
      },
    }
  }
  return {
    group: 'exchanges',
    find: (query) => {
      const all = ready()
      const seq = Number(/^#?(\d{1,15})$/.exec(query.text)?.[1] ?? Number.NaN)
      const named = Number.isNaN(seq) ? undefined : all.find(({ row }) => row.id === seq || [...row.seqs].includes(seq))
      const missing = new Map<Look, readonly string[]>()
      const others = firstOf(all, ({ row: { look }, user }) => {
        let lacks = missing.get(look)
        if (lacks === undefined) {
          const said = searchTextOf(look, texts.timeline)
          lacks = query.words.filter((word) => !said.includes(word))
          missing.set(look, lacks)
        }
        // A row is left out if only its ceremony matches, because the ceremony is found already.
        return lacks.length < query.words.length && lacks.every((word) => user.includes(word))
      })
      return [
        ...(named === undefined ? [] : [found(named, seq, parseQuery(String(seq)))]),
        ...others.filter((each) => each !== named).map((each) => found(each, lastSeq(each), query)),
      ]
    },
  }
}

type Exchange = { readonly row: Row; readonly group: Group; readonly user: string }

const exchanges = (timeline: Timeline): readonly Exchange[] =>
  newestFirst(timeline).flatMap((group) => {
    const user = group.message?.username.toLowerCase() ?? ''
    return [...group.rows]
      .filter(({ kind }) => kind === 'exchange')
      .map((row) => ({ row, group, user }))
      .reverse()
  })

const lastSeq = ({ row }: Exchange): number => row.seqs.at(-1) ?? row.id

const newestFirst = ({ groups }: Timeline): readonly Group[] => [...groups].reverse()

const nameOf = (group: Group): string => {
  const { title, sub } = groupTitle(group)
  return `${title} ${sub}`
}

const firstOf = <T>(all: readonly T[], fits: (each: T) => boolean): readonly T[] => {
  const found: T[] = []
  for (const each of all) {
    if (found.length >= MAX_RESULTS) break
    if (fits(each)) found.push(each)
  }
  return found
}

const stateOf = ({ state, error }: Message): string =>
  state === 'fail' && error !== undefined ? `fail: ${failureWord(error)}` : state

const ALSO: Readonly<Record<string, string>> = {
  errors: Object.values(errors)
    .map(({ code }) => code)
    .join(' '),
}

export const documentsSource = (): FindingSource =>
  createSource(
    'documents',
    DOCUMENTS.map(([name, title]) => {
      const path = `docs/${name}.md`
      return {
        key: name,
        title,
        leads: texts.palette.found.document(path),
        also: `${name} ${texts.palette.found.groups.documents} docs ${ALSO[name] ?? ''}`,
        to: { run: (desk) => void desk.copy(async () => path) },
      }
    }),
  )
