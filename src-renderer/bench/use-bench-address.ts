import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  type About,
  type Address,
  formatAddress,
  type Inspecting,
  type InspectorTab,
  isInspecting,
  withAbout,
} from '../ui/address.ts'
import { currentAddress, navigateTo, useAddress } from '../ui/use-address.ts'
import { findChoice, inspectedAddress, openingTab, type RowChoice } from './selection.ts'
import { useBenchPart, useTools } from './use-bench.ts'

/** `push` adds a history entry, so that the user can return to the view before. */
export type Step = 'push' | 'replace'

type BenchAddress = {
  /** The screen that uses this hook; undefined in a report, which has no address. */
  readonly screen: Inspecting['screen'] | undefined
  readonly shown: RowChoice | undefined
  readonly tab: InspectorTab
  readonly onAddress: (choice: RowChoice | undefined, tab: InspectorTab | undefined) => void
}

/** `lost`: the workspace does not have the address's target. Call `step` before a change that the user makes. */
export const useBenchAddress = ({ screen, shown, tab, onAddress }: BenchAddress) => {
  const { store } = useTools()
  const address = useAddress()
  /** The target of the address, while the page does not have it yet. */
  const [wanted, setWanted] = useState(aboutIn(address, screen))
  /** The address that this hook last wrote or followed. */
  const written = useRef<string>(undefined)
  const how = useRef<Step>('replace')
  const timeline = useBenchPart((state) => (wanted === undefined ? undefined : state.timeline))
  const ready = useBenchPart((state) => state.connection === 'live' || state.connection === 'closed')
  /** A target that the service does not have either. */
  const [nowhere, setNowhere] = useState<About>()

  const arrive = useEffectEvent((here: Address) => {
    const about = aboutIn(here, screen)
    if (here.screen !== screen || keyOf(about) === written.current) return
    written.current = keyOf(about)
    setWanted(about)
    if (about === undefined) onAddress(undefined, undefined)
  })
  useEffect(() => arrive(address), [address])

  const find = useEffectEvent(() => {
    if (wanted === undefined || timeline === undefined) return
    const choice = findChoice(timeline, wanted)
    if (choice === undefined) return
    setWanted(undefined)
    onAddress({ ...choice, byAddress: true }, openingTab(timeline, wanted))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: searches again whenever events have arrived.
  useEffect(() => find(), [wanted, timeline])

  const fetch = useEffectEvent(async () => {
    if (wanted === undefined || findChoice(store.getState().timeline, wanted) !== undefined) return
    const asked = wanted
    if (!(await store.find(asked)) || findChoice(store.getState().timeline, asked) === undefined) setNowhere(asked)
  })
  useEffect(() => {
    if (wanted !== undefined && ready) void fetch()
  }, [wanted, ready])

  const write = useEffectEvent(() => {
    const here = currentAddress()
    if (here.screen !== screen || !isInspecting(here) || wanted !== undefined) return
    const about = shown && inspectedAddress(store.getState().timeline, shown)
    const open = about && { ...about, tab }
    written.current = keyOf(open)
    navigateTo(withAbout(here, open), how.current)
    how.current = 'replace'
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: written when one of these changes.
  useEffect(() => write(), [shown, tab, wanted])

  const step = useCallback((next: Step) => {
    how.current = next
    setWanted(undefined)
  }, [])
  return { lost: wanted !== undefined && wanted === nowhere, step }
}

const keyOf = (about: About | undefined): string =>
  about === undefined ? '' : formatAddress({ screen: 'bench', about })

const aboutIn = (address: Address, screen: Inspecting['screen'] | undefined): About | undefined =>
  address.screen === screen && isInspecting(address) ? address.about : undefined
