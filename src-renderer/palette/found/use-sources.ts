import { useEffect, useEffectEvent, useState } from 'react'
import type { AccessKeyState, ControlPhone, RpState } from '../../../src-main/core/contract/control/states.ts'
import { FAULT_NAMES } from '../../../src-main/core/contract/faults.ts'
import { PROFILE_KEYS, profileSettings } from '../../../src-main/core/contract/profile.ts'
import type { BenchStore } from '../../bench/bench-store.ts'
import { useTools } from '../../bench/use-bench.ts'
import { breakSomething } from '../../faults/breaking.ts'
import { type FaultEntry, type Listed, phoneEntries, searchOf, serviceEntries } from '../../faults/fault-entries.ts'
import { addressAbout, CONSOLE_PLACES } from '../../ui/address.ts'
import { dateAndTime } from '../../ui/format.ts'
import { faultText, messages } from '../../ui/messages.ts'
import { saidText } from '../../ui/service-words.ts'
import { texts } from '../../ui/texts.ts'
import { currentAddress } from '../../ui/use-address.ts'
import type { Scene } from '../desk.ts'
import { parseQuery } from '../rank.ts'
import { documentsSource } from './documents.ts'
import { type Source, sourceOf } from './finding.ts'
import { phonesSource } from './phones.ts'
import { ceremoniesSource, exchangesSource, type Recorded } from './timeline.ts'

/** All findings besides commands, as of when the palette opened: results do not move under the user. */
export const useSources = (scene: Scene, trace: BenchStore | undefined): readonly Source[] => {
  const { api, store } = useTools()
  const [opened] = useState(() => (trace ?? store).getState())
  const [sources, setSources] = useState((): readonly Source[] => {
    if (scene === 'presenter') return []
    const { timeline, rps, phones } = opened
    const recorded: Recorded = {
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
  // Before the first key is pressed, and after the palette is drawn.
  useEffect(() => {
    const timer = setTimeout(() => makeReady())
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (scene !== 'bench') return
    let open = true
    const add = (...more: readonly Source[]) => {
      if (!open) return
      setSources((known) => [
        ...known.map((source) => more.find(({ group }) => group === source.group) ?? source),
        ...more.filter(({ group }) => known.every((source) => source.group !== group)),
      ])
    }
    const { rps, phones, overview } = opened
    const keys = rps.map(({ id }) => api.call((client) => client.call('keys.list', { params: { rp: id } })))
    void Promise.all(keys).then((answers) => {
      const all = answers.flatMap((answer): readonly AccessKeyState[] => (answer.ok ? answer.value.keys : []))
      add(rpsSource(rps, all))
    })
    void api
      .call((client) => client.call('catalogue.faults'))
      .then((answer) => {
        if (answer.ok) add(faultsSource(phones, answer.value.faults))
      })
    void api
      .call((client) => client.call('snapshots.list'))
      .then((answer) => {
        if (answer.ok) add(snapshotsSource(answer.value.snapshots))
      })
    void api
      .call((client) => client.workspace('main').call('workspaces.list'))
      .then((answer) => {
        const ids = answer.ok ? answer.value.workspaces.map(({ id }) => id) : []
        add(workspacesSource(ids, overview?.workspace ?? ''))
      })
    return () => {
      open = false
    }
  }, [api, opened, scene])
  return sources
}

/**
 * The faults, found by name, by text and by what people call such a thing. `listed`: the service's list of the phones'
 * faults.
 */
export const faultsSource = (phones: readonly ControlPhone[], listed: readonly Listed[] = []): Source => {
  const { breaking } = texts
  const [phone] = phones
  const adviceOf = ({ group, should }: FaultEntry) => `${group} · ${breaking.should}${messages.shoulds[should]}`
  const ofService = serviceEntries().map((entry) => ({
    key: entry.name,
    title: entry.title,
    leads: adviceOf(entry),
    also: `${entry.search} ${breaking.service}`,
    to: { run: () => breakSomething({ of: 'service', fault: entry.name, anchor: anchorOf('timeline') }) },
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
            also: entry?.search ?? searchOf(name),
            to: {
              run: () => breakSomething({ of: { phone: phone.id }, fault: name, anchor: anchorOf('phone-stand') }),
            },
          }
        })
  return sourceOf('faults', [...ofService, ...ofPhone])
}

const anchorOf = (part: string): Element | undefined =>
  document.querySelector(`[data-part="${part}"] [data-part="break-button"]`) ?? undefined

/** The parts of the console that are always there. */
export const placesSource = (): Source => {
  const { console: words, frame, palette } = texts
  const names = { ...words, 'new-rp': words.addRp }
  return sourceOf(
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

/** The RPs by name, RP ID and origins, and their access keys by ID. */
export const rpsSource = (rps: readonly RpState[], keys: readonly AccessKeyState[]): Source => {
  const { console: words, frame } = texts
  return sourceOf('rps', [
    ...(rps.map(({ id, name, rp_id, origins }) => ({
      key: id,
      title: name,
      leads: `${frame.console} · ${words.rps}`,
      ids: [id, rp_id],
      also: `${words.rps} ${origins.join(' ')}`,
      to: { address: { screen: 'console', place: { kind: 'rp', id } } },
    })) satisfies Parameters<typeof sourceOf>[1]),
    ...(keys.map(({ id, rp, state }) => ({
      key: id,
      title: id,
      leads: `${rps.find((each) => each.id === rp)?.name ?? rp} · ${words.keys.title}`,
      ids: [id],
      also: `${words.keys.title} ${words.keys[state === 'active' ? 'on' : 'off']}`,
      to: { address: { screen: 'console', place: { kind: 'rp', id: rp, part: id } } },
    })) satisfies Parameters<typeof sourceOf>[1]),
  ])
}

/** The settings of the profile, by name, key and effect. */
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

type Snapshot = { readonly id: string; readonly name: string; readonly created_at: number }

export const snapshotsSource = (snapshots: readonly Snapshot[]): Source => {
  const { console: words, frame } = texts
  return sourceOf(
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

/** The other workspaces of this service. */
const workspacesSource = (ids: readonly string[], here: string): Source =>
  sourceOf(
    'workspaces',
    ids
      .filter((id) => id !== here)
      .map((id) => ({
        key: id,
        title: id,
        leads: texts.palette.found.otherWorkspace,
        ids: [id],
        also: texts.console.workspaces,
        to: { href: `${location.origin}/w/${id}/` },
      })),
  )
