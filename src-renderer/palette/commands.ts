import type { ControlClient } from '../../src-main/sdk/client.ts'
import { texts } from '../ui/texts.ts'
import type { CommandContext, CommandId, Scene } from './desk.ts'

export type GroupId = keyof typeof texts.palette.groups

/** `panes`: wherever there are a timeline and an inspector. */
type Where = Scene | 'panes' | 'everywhere'

export const isAvailableIn = (where: Where, scene: Scene): boolean =>
  where === 'everywhere' || where === scene || (where === 'panes' && scene !== 'presenter')

export type Command = {
  readonly id: CommandId
  readonly group: GroupId
  readonly where: Where
  /** The keys that run it; the first one is shown. */
  readonly chords?: readonly string[]
  /** The keys work while typing in a field, too. */
  readonly inFields?: true
  /** The command only makes sense by key, so the palette leaves it out. */
  readonly keysOnly?: true
  /** The command cannot be undone, so it needs a confirmation. */
  readonly sure?: true
  readonly possible?: (desk: CommandContext) => boolean
  readonly title?: (desk: CommandContext) => string
  /** One entry of the palette for each of these. */
  readonly each?: (desk: CommandContext) => readonly string[]
  /**
   * `nth` is the index within a range of keys. False if it was impossible; the key then does what it usually does. If
   * `run` is absent, the focused element handles the key itself.
   */
  readonly run?: (desk: CommandContext, nth: number) => unknown
}

const { names, said, ...words } = texts.palette

/** Possible while a visible component offers the command. */
const offered = (id: CommandId) => ({
  id,
  possible: (desk: CommandContext) => desk.can(id),
  run: (desk: CommandContext) => desk.run(id),
})

const asUser = (
  id: CommandId,
  title: (username: string) => string,
  call: 'simulator.register' | 'simulator.sign-in',
  more: { readonly method?: 'qrcode' | 'push' } = {},
): Command => ({
  ...{ id, group: 'rp', where: 'bench' },
  title: ({ user }) => title(user?.username ?? ''),
  possible: ({ user }) => user !== undefined && user.userId !== '',
  run: (desk) => {
    if (desk.user === undefined) return false
    const { rpId, userId, username } = desk.user
    const body = { user_id: userId, username, asked_by: desk.page, ...more }
    desk.go('bench')
    return desk.ask((client) => client.call(call, { params: { rp: rpId }, body }).then(() => undefined))
  },
})

/** A command that makes a call, and shows the sentence that `act` returns. */
const asking = (command: Command, act: (client: ControlClient, desk: CommandContext) => Promise<string>): Command => ({
  ...command,
  run: (desk) => desk.ask((client) => act(client, desk)),
})

const byKey = { inFields: true, keysOnly: true } as const

/** The palette, the shortcuts and the help sheet use this list. */
export const COMMANDS: readonly Command[] = [
  { id: 'palette', group: 'go', where: 'everywhere', chords: ['Mod+K'], ...byKey, run: (desk) => desk.open('palette') },
  { id: 'bench', group: 'go', where: 'bench', chords: ['Mod+1'], inFields: true, run: (desk) => desk.go('bench') },
  { id: 'console', group: 'go', where: 'bench', chords: ['Mod+2'], inFields: true, run: (desk) => desk.go('console') },
  {
    id: 'inspect-page',
    group: 'go',
    where: 'panes',
    chords: ['Mod+3'],
    inFields: true,
    run: (desk) => desk.go('inspect'),
  },
  { id: 'present', group: 'go', where: 'bench', chords: ['P'], run: (desk) => desk.present() },
  { id: 'connect', group: 'go', where: 'bench', run: (desk) => desk.connect() },
  { ...offered('first-steps'), group: 'go', where: 'bench' },
  {
    id: 'go-phone',
    group: 'go',
    where: 'bench',
    chords: ['Alt+1–9'],
    each: ({ phones }) => phones.slice(0, 9).map(({ name }) => texts.phone.label(name)),
    run: (desk, nth) => {
      desk.go('bench')
      return desk.focusPhone(nth)
    },
  },
  { id: 'next-pane', group: 'go', where: 'panes', chords: ['F6'], ...byKey, run: (desk) => desk.focusPane(1) },
  {
    id: 'previous-pane',
    group: 'go',
    where: 'panes',
    chords: ['Shift+F6'],
    ...byKey,
    run: (desk) => desk.focusPane(-1),
  },
  {
    id: 'help',
    group: 'go',
    where: 'everywhere',
    chords: ['?'],
    title: () => words.help,
    run: (desk) => desk.open('help'),
  },

  asUser('register', words.registerAs, 'simulator.register'),
  asUser('sign-in-code', words.signInByCode, 'simulator.sign-in', { method: 'qrcode' }),
  asUser('sign-in-push', words.signInByPush, 'simulator.sign-in', { method: 'push' }),

  { ...offered('scan'), group: 'phone', where: 'bench', chords: ['S'] },
  { ...offered('touch'), group: 'phone', where: 'bench', chords: ['T'] },
  { ...offered('reject'), group: 'phone', where: 'bench', chords: ['R'] },
  asking({ id: 'add-phone', group: 'phone', where: 'bench' }, async (client, desk) => {
    const name = freeName(desk)
    desk.go('bench')
    await client.call('phones.create', { body: { name } })
    return said.phone(name)
  }),

  { id: 'rows', group: 'timeline', where: 'panes', chords: ['ArrowUp', 'ArrowDown'], keysOnly: true },
  { group: 'timeline', where: 'panes', chords: ['/'], ...offered('filter') },
  { ...offered('pause'), group: 'timeline', where: 'bench', chords: ['Space'] },
  { ...offered('live'), group: 'timeline', where: 'bench', chords: ['End'] },
  { ...offered('inspect'), group: 'timeline', where: 'panes', chords: ['I'] },
  { ...offered('close-inspector'), group: 'timeline', where: 'panes', chords: ['Escape'], keysOnly: true },
  { ...offered('dock'), group: 'timeline', where: 'bench', chords: ['D'] },
  { ...offered('previous-failed'), group: 'timeline', where: 'panes', chords: ['['] },
  { ...offered('next-failed'), group: 'timeline', where: 'panes', chords: [']'] },
  { ...offered('show-json'), group: 'timeline', where: 'panes', chords: ['J'] },
  { ...offered('show-hex'), group: 'timeline', where: 'panes', chords: ['H'] },
  { ...offered('copy-code'), group: 'timeline', where: 'panes', chords: ['C'] },
  { ...offered('copy-scenario'), group: 'timeline', where: 'panes' },
  { ...offered('bug-report'), group: 'timeline', where: 'panes', chords: ['B'] },
  { ...offered('copy-json'), group: 'timeline', where: 'panes' },
  { ...offered('copy-hex'), group: 'timeline', where: 'panes' },
  { ...offered('resend'), group: 'timeline', where: 'bench', chords: ['E'] },
  { ...offered('compare'), group: 'timeline', where: 'panes', chords: ['M'] },

  {
    ...asking({ id: 'freeze', group: 'time', where: 'bench', chords: ['F'] }, async (client, { clock }) => {
      const { frozen } = await client.call('clock.put', { body: { frozen: clock?.frozen !== true } })
      return frozen ? said.frozen : said.running
    }),
    title: ({ clock }) => (clock?.frozen === true ? words.run : words.freeze),
  },
  asking({ id: 'next-expiry', group: 'time', where: 'bench', chords: ['.'] }, async (client) => {
    await client.call('clock.advance', { body: { to: 'next-expiry' } })
    return said.expired
  }),

  asking({ id: 'snapshot', group: 'workspace', where: 'bench' }, async (client) => {
    const { name } = await client.call('snapshots.create', { body: {} })
    return said.snapshot(name)
  }),
  asking({ id: 'reset', group: 'workspace', where: 'bench', sure: true }, async (client) => {
    await client.call('workspace.reset', { body: {} })
    return said.reset
  }),

  { ...offered('record'), group: 'workspace', where: 'bench' },
  { ...offered('save-scenario'), group: 'workspace', where: 'bench' },
  { ...offered('open-trace'), group: 'workspace', where: 'panes', chords: ['O'] },
  { ...offered('save-trace'), group: 'workspace', where: 'bench' },
  { ...offered('leave-trace'), group: 'workspace', where: 'trace' },

  { ...offered('undo'), group: 'workspace', where: 'bench', chords: ['Mod+Z'] },

  { id: 'copy-link', group: 'copy', where: 'everywhere', run: (desk) => desk.copy(async () => location.href) },
  {
    id: 'copy-base-url',
    group: 'copy',
    where: 'bench',
    run: (desk) => desk.copy(async (client) => (await client.call('overview')).addresses.base_url),
  },
  {
    id: 'copy-key-id',
    group: 'copy',
    where: 'bench',
    possible: ({ user }) => user !== undefined,
    run: (desk) =>
      desk.copy(async (client) => {
        const { keys } = await client.call('keys.list', { params: { rp: desk.user?.rpId ?? '' } })
        return keys.find(({ state }) => state === 'active')?.id
      }),
  },

  {
    ...offered('presenter-next'),
    group: 'presenter',
    where: 'presenter',
    // Presentation remotes send the page keys.
    chords: ['ArrowRight', 'PageDown'],
  },
  { ...offered('presenter-back'), group: 'presenter', where: 'presenter', chords: ['ArrowLeft', 'PageUp'] },
  { ...offered('presenter-autopilot'), group: 'presenter', where: 'presenter', chords: ['Space'] },
  { ...offered('presenter-repeat'), group: 'presenter', where: 'presenter', chords: ['R'] },
  { ...offered('presenter-start-over'), group: 'presenter', where: 'presenter', chords: ['S'] },
  { ...offered('presenter-notes'), group: 'presenter', where: 'presenter', chords: ['N'] },
  { ...offered('presenter-leave'), group: 'presenter', where: 'presenter', chords: ['Escape'] },
]

export const commandName = (id: CommandId): string => names[id]

const freeName = ({ phones }: CommandContext): string =>
  texts.phone.names.find((name) => phones.every((phone) => phone.name !== name)) ??
  `${texts.console.phonesPage.newPhone} ${phones.length + 1}`
