import { withoutUndefined } from '../../src-main/core/protocol/json.ts'

export const INSPECTOR_TABS = [
  'overview',
  'request',
  'response',
  'signature',
  'decoded',
  'steps',
  'resend',
  'compare',
] as const

export type InspectorTab = (typeof INSPECTOR_TABS)[number]

export const CONSOLE_PLACES = ['new-rp', 'profile', 'phones', 'devices', 'roots', 'workspaces', 'time'] as const

export const CHAPTERS = ['key', 'touch', 'thief', 'lost'] as const

export type PresenterPlace = (typeof CHAPTERS)[number] | 'end'

export const PRESENTED: readonly PresenterPlace[] = [...CHAPTERS, 'end']

/**
 * `id`: an RP, a phone, or a setting of the profile. `part`: an access key of the RP, or a setting of the phone. A
 * phone without `part` shows its faults.
 */
export type ConsolePlace = { readonly part?: string } & (
  | { readonly kind: 'rp'; readonly id: string }
  | { readonly kind: (typeof CONSOLE_PLACES)[number]; readonly id?: string }
)

export type About = ({ readonly msgId: string } | { readonly seq: number }) & { readonly tab?: InspectorTab }

export const LANGUAGES = ['curl', 'node', 'python', 'java', 'go', 'php', 'csharp'] as const

export type Language = (typeof LANGUAGES)[number]

/** *Connect your server* in the timeline’s place: for one RP, in one language. */
export type Connecting = { readonly rp?: string; readonly language?: Language }

export type Address =
  | { readonly screen: 'bench'; readonly about?: About; readonly connect?: Connecting; readonly search?: string }
  | { readonly screen: 'console'; readonly place?: ConsolePlace }
  | { readonly screen: 'inspect' }
  /** `opening`: the address names no chapter. `notes`: the speaker's window. */
  | { readonly screen: 'presenter'; readonly chapter: PresenterPlace; readonly opening?: true; readonly notes?: true }
  /** A file, identified by `traceDigest`; its name tells the user which one to open. */
  | {
      readonly screen: 'trace'
      readonly trace: string
      readonly name: string
      readonly about?: About
      readonly search?: string
    }

export type Inspecting = Extract<Address, { readonly screen: 'bench' | 'trace' }>

export const isInspecting = (address: Address): address is Inspecting =>
  address.screen === 'bench' || address.screen === 'trace'

/** The inspector is next to the timeline: the address drops `connect`, whose guide replaces the timeline. */
export const withAbout = ({ about: _, ...rest }: Inspecting, about: About | undefined): Address => {
  if (about === undefined) return rest
  if (rest.screen === 'trace') return { ...rest, about }
  const { connect: __, ...bench } = rest
  return { ...bench, about }
}

/** The address of one inspected event, without the current search. */
export const addressAbout = (here: Address, about: About): Address =>
  here.screen === 'trace' ? { screen: 'trace', trace: here.trace, name: here.name, about } : { screen: 'bench', about }

/** `path` is what follows `/w/<workspace>`. An invalid address leads to the bench. */
export const parseAddress = (path: string, query = ''): Address => {
  const [first, second, third, fourth] = path.split('/').filter(Boolean)
  if (first === 'present') return presentedIn(second, third)
  if (first === 'inspect') return { screen: 'inspect' }
  if (first === 'console') return { screen: 'console', ...withoutUndefined({ place: placeIn(second, third, fourth) }) }
  if (first === 'connect') return { screen: 'bench', connect: connectingIn(second, third) }
  if (first === 'trace' && second !== undefined) return traceIn(path, second, query)
  const about = aboutIn(first, second, third) ?? strayIn(first)
  return { screen: 'bench', ...withoutUndefined({ about, search: searchIn(query) }) }
}

const searchIn = (query: string): string | undefined => new URLSearchParams(query).get('q') || undefined

const presentedIn = (chapter: string | undefined, word: string | undefined): Address => ({
  screen: 'presenter',
  chapter: PRESENTED.find((each) => each === chapter) ?? CHAPTERS[0],
  ...(chapter === undefined ? { opening: true } : {}),
  ...(word === 'notes' ? { notes: true } : {}),
})

/** No real file name in an address is longer. */
const LONGEST_NAME = 200

const traceIn = (path: string, trace: string, query: string): Address => {
  const about = aboutIn(...path.split('/').filter(Boolean).slice(2))
  const name = (new URLSearchParams(query).get('name') ?? '').slice(0, LONGEST_NAME)
  return { screen: 'trace', trace, name, ...withoutUndefined({ about, search: searchIn(query) }) }
}

const placeIn = (
  kind: string | undefined,
  id: string | undefined,
  part: string | undefined,
): ConsolePlace | undefined => {
  const named = withoutUndefined({ part })
  if (kind === 'rp') return id === undefined ? undefined : { kind, id, ...named }
  const known = CONSOLE_PLACES.find((each) => each === kind)
  return known === undefined ? undefined : { kind: known, ...withoutUndefined({ id }), ...named }
}

const connectingIn = (rp: string | undefined, word: string | undefined): Connecting =>
  withoutUndefined({ rp, language: LANGUAGES.find((each) => each === word) })

const aboutIn = (kind?: string, id?: string, word?: string): About | undefined => {
  const open = withoutUndefined({ tab: INSPECTOR_TABS.find((each) => each === word) })
  if (kind === 'c' && id !== undefined) return { msgId: id, ...open }
  if (kind === 'e' && /^\d{1,15}$/.test(id ?? '')) return { seq: Number(id), ...open }
  return undefined
}

/** Treats an unknown word as a message ID, so that the page reports it as missing. */
const strayIn = (word: string | undefined): About | undefined =>
  word === undefined || word === 'c' || word === 'e' || !/^[\w-]{1,64}$/.test(word) ? undefined : { msgId: word }

export const formatAddress = (address: Address): string => {
  if (address.screen === 'presenter') {
    const { chapter, opening, notes } = address
    return opening === true ? '/present' : `/present/${chapter}${notes === true ? '/notes' : ''}`
  }
  // No address contains the inspected data, because it may be secret.
  if (address.screen === 'inspect') return '/inspect'
  if (address.screen === 'console') {
    const { place } = address
    return `/${['console', place?.kind, place?.id, place?.part].filter((word) => word !== undefined).join('/')}`
  }
  if (address.screen === 'trace') {
    const { trace, name, about, search = '' } = address
    return `/trace/${trace}${about === undefined ? '' : aboutPath(about)}${queryOf({ name, q: search })}`
  }
  const { about, connect, search = '' } = address
  if (about === undefined && connect !== undefined)
    return ['/connect', connect.rp, connect.rp && connect.language].filter(Boolean).join('/')
  return (about === undefined ? '/' : aboutPath(about)) + queryOf({ q: search })
}

const queryOf = (parts: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(Object.entries(parts).filter(([, text]) => text !== ''))
  return query.size === 0 ? '' : `?${query}`
}

const aboutPath = (about: About): string => {
  const what = 'msgId' in about ? `/c/${about.msgId}` : `/e/${about.seq}`
  // A comparison has no address, because only this page knows its other exchange.
  return about.tab === undefined || about.tab === 'compare' ? what : `${what}/${about.tab}`
}
