import { useEffect, useEffectEvent, useState } from 'react'
import type { AccessKeyState } from '../../../src-main/core/contract/control/states.ts'
import type { BenchStore } from '../../bench/bench-store.ts'
import { useTools } from '../../bench/use-bench.ts'
import { addressAbout } from '../../ui/address.ts'
import { currentAddress } from '../../ui/use-address.ts'
import type { Scene } from '../desk.ts'
import { parseQuery } from '../rank.ts'
import { documentsSource } from './documents.ts'
import { faultsSource } from './faults.ts'
import type { Source } from './finding.ts'
import { phonesSource } from './phones.ts'
import { placesSource } from './places.ts'
import { rpsSource } from './rps.ts'
import { settingsSource } from './settings.ts'
import { snapshotsSource } from './snapshots.ts'
import { ceremoniesSource, exchangesSource, type Recorded } from './timeline.ts'
import { workspacesSource } from './workspaces.ts'

/** What the palette finds besides commands, as it was when the palette opened: what is looked at does not move. */
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
