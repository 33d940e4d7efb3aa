import type { LinkProblem } from '../core/contract/link-problems.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { type HandsetLink, looksLikeHandsetLink, looksLikePageLink, parseHandsetLink } from './handset-link.ts'
import { texts } from './texts.ts'
import { looksLikeTracePath, resolveTracePath } from './trace-file.ts'

/** A link comes from anywhere, so no other argument is accepted with one. */
export type Invocation =
  | { readonly kind: 'options'; readonly options: readonly string[] }
  | { readonly kind: 'link'; readonly link: HandsetLink }
  | { readonly kind: 'traces'; readonly paths: readonly string[] }

/** Chromium switches that would expose a packaged program, and the text that says so. */
const FORBIDDEN = {
  'no-sandbox': 'unsandboxed',
  'disable-web-security': 'unguarded',
  'remote-debugging-port': 'unguarded',
  'remote-debugging-pipe': 'unguarded',
} as const

export const forbiddenSwitch = (hasSwitch: (name: string) => boolean): string | undefined => {
  const [, why] = Object.entries(FORBIDDEN).find(([name]) => hasSwitch(name)) ?? []
  return why === undefined ? undefined : texts[why]
}

/** Switches of Chromium and of the desktops that stay in the arguments after Electron has read them. */
const NOT_OURS: ReadonlySet<string> = new Set([
  // Electron and Chromium add these when they start a program again, or another instance of it.
  ...['allow-file-access-from-files', 'enable-avfoundation', 'original-process-start-time', 'enable-crashpad'],
  // Switches of menu entries, flatpak, snap and users' own flag files.
  ...['class', 'name', 'gtk-version', 'no-zygote', 'disable-dev-shm-usage', 'disable-seccomp-filter-sandbox'],
  ...['ozone-platform', 'ozone-platform-hint', 'enable-wayland-ime', 'wayland-text-input-version', 'password-store'],
  ...['enable-features', 'disable-features', 'enable-blink-features', 'disable-blink-features'],
  // Graphics and accessibility.
  ...['disable-gpu', 'disable-gpu-compositing', 'disable-gpu-sandbox', 'disable-software-rasterizer', 'use-angle'],
  ...['use-gl', 'ignore-gpu-blocklist', 'enable-gpu-rasterization', 'disable-hardware-acceleration'],
  ...['force-color-profile', 'force-device-scale-factor', 'high-dpi-support', 'force-dark-mode', 'lang'],
  ...['force-renderer-accessibility', 'disable-renderer-accessibility'],
  // The profile is kept in the data directory, and the page calls only its own service.
  ...['user-data-dir', 'proxy-server', 'proxy-pac-url', 'proxy-bypass-list', 'proxy-auto-detect', 'no-proxy-server'],
  // Logs and tests.
  ...['enable-logging', 'log-file', 'log-level', 'v', 'vmodule', 'enable-sandbox', 'inspect', 'inspect-brk'],
  // The packaged program refuses to start with these, and says why.
  ...Object.keys(FORBIDDEN),
])

/** Arguments that the system adds: macOS adds one when the Finder opens a program, Windows when a notice is clicked. */
const OF_SYSTEMS = /^-(?:psn_\d+_\d+|Embedding|ToastActivated)$/

/** A macOS user default given as an argument; the next argument is its value. */
const MAC_DEFAULT = /^-(?:Apple|NS)[A-Za-z]+$/

/** Removes Electron's arguments: the program, its folder if it is not packaged, and `--`, which ends the switches. */
export const ownArguments = (argv: readonly string[], isPackaged: boolean): readonly string[] => {
  const args = argv.slice(isPackaged ? 1 : 2)
  const end = args.indexOf('--')
  return end < 0 ? args.filter(isOurs) : [...args.slice(0, end).filter(isOurs), ...args.slice(end + 1)]
}

const isOurs = (arg: string, at: number, args: readonly string[]): boolean => {
  if (OF_SYSTEMS.test(arg) || MAC_DEFAULT.test(arg) || MAC_DEFAULT.test(args[at - 1] ?? '')) return false
  const [, name] = /^--([a-z-]+)(?:=|$)/.exec(arg) ?? []
  return name === undefined || !NOT_OURS.has(name)
}

/** A file manager passes all selected files. If there is also an option, a file is the option's value. */
const areTraces = (args: readonly string[]): boolean => args.length > 0 && args.every(looksLikeTracePath)

export const parseInvocation = (args: readonly string[]): Result<Invocation, LinkProblem> => {
  const [only = ''] = args
  // A page link among other arguments is an option's value.
  const text = args.length === 1 && looksLikePageLink(only) ? only : args.find(looksLikeHandsetLink)
  if (areTraces(args)) return ok({ kind: 'traces', paths: args })
  if (text === undefined) return ok({ kind: 'options', options: args })
  if (args.length !== 1) return err({ code: 'link_not_alone' })
  const link = parseHandsetLink(text)
  return link.ok ? ok({ kind: 'link', link: link.value }) : link
}

/** Makes file paths absolute: the instance that gets them may have started in another folder. */
export const absoluteArguments = (
  args: readonly string[],
  place: Parameters<typeof resolveTracePath>[1],
): readonly string[] => (areTraces(args) ? args.map((arg) => resolveTracePath(arg, place)) : args)

/** Arguments from another process, which are not trusted. */
export type HandOver = { readonly v: 1; readonly args: readonly string[] }

export const toHandOver = (args: readonly string[]): HandOver => ({ v: 1, args })

export type ParsedHandOver = { readonly invocation: Invocation; readonly args: readonly string[] }

export const parseHandOver = (data: unknown): Result<ParsedHandOver, LinkProblem> => {
  const { v, args } = (typeof data === 'object' && data !== null ? data : {}) as { v?: unknown; args?: unknown }
  if (v !== 1 || !Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) {
    return err({ code: 'hand_over_of_other_version' })
  }
  const invocation = parseInvocation(args)
  return invocation.ok ? ok({ invocation: invocation.value, args }) : invocation
}
