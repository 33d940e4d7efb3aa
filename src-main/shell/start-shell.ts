import type { ControlPhone } from '../core/contract/control/states.ts'
import type { BenchEvent } from '../core/contract/events.ts'
import type { LinkProblem } from '../core/contract/link-problems.ts'
import { textOf } from '../core/protocol/coded.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { type ControlClient, ControlError, createControlClient } from '../sdk/client.ts'
import type { ElectronDesktop } from './electron-desktop.ts'
import type { ElectronWindow } from './electron-window.ts'
import { type HandsetLink, invitationWithPlace, type PageLink, parseHandsetLink } from './handset-link.ts'
import { type HandOver, type Invocation, parseHandOver, parseInvocation, toHandOver } from './invocation.ts'
import type { Command } from './menu.ts'
import { scanFirst, troubleIn } from './scan.ts'
import { texts } from './texts.ts'
import type { TraceFile } from './trace-file.ts'

export type ShellBench = {
  readonly uiUrl: string
  readonly controlUrl: string
  readonly token: string
  invite(): string
  offer(bytes: Uint8Array): { readonly path: string; withdraw(): void }
  close(): Promise<void>
}

export type ShellParts = ElectronDesktop &
  ElectronWindow & {
    /** The arguments are not parsed yet: if another instance already runs, that instance reports mistakes in them. */
    readonly args: readonly string[]
    /** False if another instance uses this data directory; that instance then gets the message. */
    claim(message: HandOver): boolean
    onHandOver(listener: (data: unknown) => void): void
    /** macOS hands links to the running program instead of starting another. */
    onLink(listener: (text: string) => void): void
    /** macOS also passes opened files as events. */
    onFile(listener: (path: string) => void): void
    readTrace(path: string): Result<TraceFile, LinkProblem>
    ready(): Promise<void>
    startBench(): Promise<Result<ShellBench, string>>
    /** Electron waits for `close` before it ends. */
    onQuit(close: () => Promise<void>): void
    onActivate(show: () => void): void
    keepRunning(): void
    quit(): void
    /** Starts the program again with these arguments when this run ends. */
    startAgain(args: readonly string[]): void
    say(text: string): void
    giveUp(problem: string): void
  }

/**
 * The order of the start: claim the data directory, listen for other instances, start the bench, lock the session, and
 * only then show a window. Earlier links are followed once the bench has started.
 */
export const startShell = async (parts: ShellParts): Promise<void> => {
  if (!parts.claim(toHandOver(parts.args))) {
    parts.say(texts.already)
    return parts.quit()
  }
  const invocation = parseInvocation(parts.args)
  if (!invocation.ok) return parts.giveUp(textOf(texts.messages.links, invocation.error))
  const early: Invocation[] = [invocation.value]
  let answer = (invocation: Invocation): void => void early.push(invocation)
  const refuse = (problem: LinkProblem): void =>
    parts.notify({ title: texts.link.refused, body: textOf(texts.messages.links, problem) })
  const stop = new AbortController()
  let startsAgain = false
  parts.onHandOver((data) => {
    const heard = parseHandOver(data)
    if (!heard.ok) return refuse(heard.error)
    if (!stop.signal.aborted) return answer(heard.value.invocation)
    // This program is closing and can show nothing, so a new program starts with these arguments.
    if (!startsAgain) parts.startAgain(heard.value.args)
    startsAgain = true
  })
  parts.onLink((text) => {
    const link = parseHandsetLink(text)
    if (link.ok) answer({ kind: 'link', link: link.value })
    else refuse(link.error)
  })
  parts.onFile((path) => answer({ kind: 'traces', paths: [path] }))

  await parts.ready()
  const starting = parts.startBench()
  parts.onQuit(async () => {
    stop.abort()
    const bench = await starting
    if (bench.ok) await bench.value.close()
  })
  const started = await starting
  if (!started.ok) return parts.giveUp(started.error)
  if (stop.signal.aborted) return

  const bench = started.value
  const client = createControlClient(bench)
  parts.lockDown(bench.uiUrl)
  const show = (): void => {
    if (!stop.signal.aborted) parts.showWindow(bench.invite)
  }
  const open = ({ origin, place }: PageLink): void => {
    if (stop.signal.aborted) return
    const own = new URL(bench.uiUrl).origin
    if (origin === own) parts.showPage(() => invitationWithPlace(bench.invite(), place))
    else {
      show()
      refuse({ code: 'link_of_other_bench', params: { origin, own } })
    }
  }
  // A bug is reported here; a call that fails while everything closes is not a bug.
  const edge = (work: Promise<void>): Promise<void> =>
    work.catch((reason: unknown) => {
      if (!stop.signal.aborted) parts.say(String(reason))
    })
  const scan = scanner(parts, client)
  const rehearsal = async (): Promise<void> => {
    const result = await rehearseTalk(bench, client)
    parts.notify({ title: texts.rehearsal.title, body: result.ok ? texts.rehearsal.good : result.error })
  }
  const commands: Readonly<Record<Extract<Command, string>, () => void>> = {
    show,
    scan: () => void edge(scan()),
    browser: () => parts.openInBrowser(bench.invite()),
    keepRunning: parts.keepRunning,
    rehearse: () => void edge(rehearsal()),
    logs: parts.showLogs,
    system: () => parts.setTheme('system'),
    light: () => parts.setTheme('light'),
    dark: () => parts.setTheme('dark'),
    quit: parts.quit,
  }
  parts.onActivate(show)
  answer = (invocation) => {
    if (invocation.kind === 'link' && invocation.link.action === 'open') return open(invocation.link)
    show()
    if (invocation.kind === 'link' && invocation.link.action === 'scan')
      void edge(follow(invocation.link, parts, client))
    if (invocation.kind === 'traces') void edge(openTraces(invocation.paths, parts, bench))
  }
  for (const invocation of early) answer(invocation)
  // Set up after the window, which must open even if the tray or the shortcut fails.
  parts.offer((command) => {
    if (typeof command === 'string') commands[command]()
    else if (parts.findFolder(command.folder)) {
      parts.startAgain(['--data', command.folder])
      parts.quit()
    }
  })
  const clicked = (notice: Notice): void => {
    show()
    void edge(openNotice(client, notice))
  }
  await edge(
    watchPushes({ ...parts, client, signal: stop.signal, notify: (one) => parts.notify(one, () => clicked(one)) }),
  )
}

/** Menu and shortcut may both react to the key: one scan at a time. */
const scanner = (parts: ShellParts, client: ControlClient): (() => Promise<void>) => {
  let busy = false
  return async () => {
    if (busy) return
    busy = true
    try {
      const pictures = await parts.capture()
      const codes = pictures.ok ? pictures.value.map((image) => ({ image })) : []
      tell(parts, texts.scan.title, pictures.ok ? await scanFirst(codes, { client }) : pictures)
    } finally {
      busy = false
    }
  }
}

/** Opens one trace after the other, so that the page shows the last. */
const openTraces = async (paths: readonly string[], parts: ShellParts, bench: ShellBench): Promise<void> => {
  const refuse = (problem: LinkProblem): void =>
    parts.notify({ title: texts.file.refused, body: textOf(texts.messages.links, problem) })
  for (const path of paths) {
    const file = parts.readTrace(path)
    if (!file.ok) {
      refuse(file.error)
      continue
    }
    const { name, bytes } = file.value
    const offered = bench.offer(bytes)
    try {
      if (!(await parts.showTrace({ name, path: offered.path }))) refuse({ code: 'file_not_taken', params: { name } })
    } finally {
      offered.withdraw()
    }
  }
}

type ScanLink = Extract<HandsetLink, { readonly action: 'scan' }>

const follow = async ({ url, phone, workspace }: ScanLink, parts: ShellParts, client: ControlClient): Promise<void> => {
  const where = workspace === undefined ? client : client.workspace(workspace)
  tell(parts, texts.scan.link, await scanFirst([{ url }], { client: where, ...(phone === undefined ? {} : { phone }) }))
}

const tell = (parts: ShellParts, title: string, outcome: Result<string, string>): void =>
  parts.notify({ title, body: outcome.ok ? texts.scan.found(outcome.value) : outcome.error })

export type Notice = { readonly title: string; readonly body: string; readonly phone: string; readonly msgId: string }

/** Undefined unless a person answers on this phone. */
export const toPushNotice = (event: BenchEvent): Notice | undefined => {
  if (event.kind !== 'phone' || event.change !== 'pushed' || event.phone === undefined) return undefined
  const { phone } = event
  const [newest] = phone.notifications
  if (newest === undefined || phone.behaviour.answer !== 'ask') return undefined
  return { title: newest.rp.name, body: texts.push.body(phone.name), phone: phone.id, msgId: newest.msg_id }
}

type PushParts = Pick<ShellParts, 'isWatched' | 'badge'> & {
  readonly client: ControlClient
  readonly signal: AbortSignal
  readonly notify: (notice: Notice) => void
}

/** Pushes to a phone that answers automatically need no notice. */
const waitingAt = ({ notifications, behaviour }: Pick<ControlPhone, 'notifications' | 'behaviour'>): number =>
  behaviour.answer === 'ask' ? notifications.length : 0

export const watchPushes = async ({ client, signal, isWatched, notify, badge }: PushParts): Promise<void> => {
  const waiting = new Map<string, number>()
  const tell = (): void => badge([...waiting.values()].reduce((sum, count) => sum + count, 0))
  try {
    const { last_seq: after } = await client.call('overview', { signal })
    for (const phone of (await client.call('phones.list', { signal })).phones) waiting.set(phone.id, waitingAt(phone))
    tell()
    for await (const event of client.events({ after, kind: 'phone', signal })) {
      if (event.kind === 'phone') {
        waiting.set(event.phone_id, event.phone === undefined ? 0 : waitingAt(event.phone))
        tell()
      }
      const notice = toPushNotice(event)
      if (notice !== undefined && !isWatched()) notify(notice)
    }
  } catch (reason) {
    // The bench has been closed or replaced: its pushes are gone.
    if (!signal.aborted && !(reason instanceof ControlError)) throw reason
  }
}

/** A click on the notice does the same as a tap on the phone. */
export const openNotice = async (client: ControlClient, { phone, msgId }: Notice): Promise<void> => {
  try {
    await client.call('phones.open', { params: { id: phone }, body: { msg_id: msgId } })
  } catch (reason) {
    // The push is answered, expired or swiped away: the page shows which.
    if (!(reason instanceof ControlError)) throw reason
  }
}

/** One white pixel: the code reader's answer "no code" proves that it is loaded. */
const BLANK = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=='

/** Checks that a talk works offline: checks addresses and files, and signs in once in a new workspace. */
export const rehearseTalk = async (
  { uiUrl, controlUrl }: Pick<ShellBench, 'uiUrl' | 'controlUrl'>,
  client: ControlClient,
): Promise<Result<null, string>> => {
  const elsewhere = [uiUrl, controlUrl].find((address) => !isHere(address))
  if (elsewhere !== undefined) return err(texts.rehearsal.elsewhere(elsewhere))
  const missing = await findMissingFile(uiUrl)
  if (missing !== undefined) return err(texts.rehearsal.missing(missing))
  const { id } = await client.call('workspaces.create', { body: {} })
  try {
    const status = await signIn(client.workspace(id))
    return status === 'success' ? ok(null) : err(texts.rehearsal.failed(status))
  } catch (reason) {
    if (!(reason instanceof ControlError)) throw reason
    return err(texts.rehearsal.failed(reason.message))
  } finally {
    await client.call('workspaces.close', { params: { id } })
  }
}

/** True for addresses of this computer that need no network to resolve. */
const isHere = (address: string): boolean =>
  /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname)

const findMissingFile = async (page: string): Promise<string | undefined> => {
  const document = await fetch(page)
  const html = await document.text()
  const files = [...html.matchAll(/ (?:src|href)="([^"]+)"/g)].flatMap(([, file]) => file ?? [])
  // A document without scripts is not the page, but the service's text that no page was built.
  if (!document.ok || files.length === 0) return page
  for (const file of files) {
    const address = new URL(file, page)
    if (address.origin !== new URL(page).origin || !(await fetch(address)).ok) return address.href
  }
  return undefined
}

const signIn = async (client: ControlClient): Promise<string> => {
  const user = { user_id: 'rehearsal', username: 'rehearsal', poll: false } as const
  const made = await client.call('rps.create', { body: { name: 'Rehearsal', rp_id: 'localhost' } })
  const { id } = await client.call('phones.create', { body: { name: 'Rehearsal' } })
  const [rp, phone] = [{ rp: made.id }, { id }]
  await client.call('keys.create', { params: rp, body: {} })
  await client.call('phones.scan', { params: phone, body: { image: { data: BLANK, type: 'png' } } }).catch(isNoCode)
  const { url, msg_id } = await client.call('simulator.register', { params: rp, body: user })
  await client.call('phones.scan', { params: phone, body: { url } })
  await client.call('phones.approve', { params: phone, body: {} })
  await client.call('simulator.poll', { params: { ...rp, msg_id }, body: {} })
  const asked = await client.call('simulator.sign-in', { params: rp, body: { ...user, method: 'push' } })
  await client.call('phones.open', { params: phone, body: { msg_id: asked.msg_id } })
  await client.call('phones.approve', { params: phone, body: {} })
  return (await client.call('simulator.poll', { params: { ...rp, msg_id: asked.msg_id }, body: {} })).status
}

const isNoCode = (reason: unknown): void => {
  if (troubleIn(reason)?.word !== 'no_code') throw reason
}
