import type { LinkProblem } from '../contract/link-problems.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { type HandsetLink, looksLikeLink, looksLikePageLink, parseHandsetLink } from './handset-link.ts'
import { looksLikeTrace, traceAt } from './trace-file.ts'

/** What the program was started for. A link comes from anywhere, so nothing that stands beside one is listened to. */
export type Invocation =
  | { readonly kind: 'options'; readonly options: readonly string[] }
  | { readonly kind: 'link'; readonly link: HandsetLink }
  | { readonly kind: 'trace'; readonly path: string }

/** Switches of Chromium and of the desktop that stay in the arguments after Electron has read them. */
const NOT_OURS = new Set([
  'allow-file-access-from-files',
  'disable-dev-shm-usage',
  'disable-features',
  'disable-gpu',
  'disable-gpu-sandbox',
  'disable-software-rasterizer',
  'enable-features',
  'enable-logging',
  'enable-sandbox',
  'force-color-profile',
  'force-device-scale-factor',
  'gtk-version',
  'inspect',
  'lang',
  'log-level',
  'no-sandbox',
  'original-process-start-time',
  'ozone-platform',
  'ozone-platform-hint',
  'password-store',
  'remote-debugging-port',
  'use-angle',
  'use-gl',
  'v',
])

/** Without Electron's own: the program, before packaging the folder that it runs, and `--`, which ends its switches. */
export const ownArguments = (argv: readonly string[], isPackaged: boolean): readonly string[] => {
  const args = argv.slice(isPackaged ? 1 : 2)
  const end = args.indexOf('--')
  return end < 0 ? args.filter(isOurs) : [...args.slice(0, end).filter(isOurs), ...args.slice(end + 1)]
}

const isOurs = (arg: string): boolean => {
  // macOS marks programs that were opened from the Finder.
  if (/^-psn_\d+_\d+$/.test(arg)) return false
  const [, name] = /^--([a-z-]+)(?:=|$)/.exec(arg) ?? []
  return name === undefined || !NOT_OURS.has(name)
}

export const parseInvocation = (args: readonly string[]): Result<Invocation, LinkProblem> => {
  const [only = ''] = args
  // Beside options it is the value of one.
  const text = args.length === 1 && looksLikePageLink(only) ? only : args.find(looksLikeLink)
  if (text === undefined && args.length === 1 && looksLikeTrace(only)) return ok({ kind: 'trace', path: only })
  if (text === undefined) return ok({ kind: 'options', options: args })
  if (args.length !== 1) return err({ code: 'link_not_alone' })
  const link = parseHandsetLink(text)
  return link.ok ? ok({ kind: 'link', link: link.value }) : link
}

/** A file is named from the folder in which the program was started, which a first instance does not share. */
export const placedArguments = (args: readonly string[], place: Parameters<typeof traceAt>[1]): readonly string[] =>
  args.length === 1 && args.every(looksLikeTrace) ? args.map((arg) => traceAt(arg, place)) : args

/** What a second instance leaves with the first. It crosses between processes, so it is read as anything. */
export type HandOver = { readonly v: 1; readonly args: readonly string[] }

export const handOver = (args: readonly string[]): HandOver => ({ v: 1, args })

/** What the second instance was started for, and the arguments that say so. */
export type HandedOver = { readonly invocation: Invocation; readonly args: readonly string[] }

export const parseHandOver = (data: unknown): Result<HandedOver, LinkProblem> => {
  const { v, args } = (typeof data === 'object' && data !== null ? data : {}) as { v?: unknown; args?: unknown }
  if (v !== 1 || !Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) {
    return err({ code: 'hand_over_of_other_version' })
  }
  const invocation = parseInvocation(args)
  return invocation.ok ? ok({ invocation: invocation.value, args }) : invocation
}
