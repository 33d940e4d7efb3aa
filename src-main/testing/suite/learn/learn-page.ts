import type { Page } from '@playwright/test'
import type { PageAction, PageSign, RpSuitePage } from '../../../core/contract/rp-suite.ts'
import { withoutUndefined } from '../../../core/protocol/json.ts'
import { PhoneError, WaitError } from '../../../sdk/errors.ts'
import type { Phone } from '../../../sdk/phone.ts'
import { pause, realNow } from '../../../sdk/real-time.ts'
import type { Workspace } from '../../../sdk/workspace.ts'
import { escapeTemplate, fillText, type Values } from '../../calls/placeholders.ts'
import {
  asksToAgree,
  candidatesFor,
  fieldsFor,
  type Goal,
  type Guide,
  NotLearned,
  namesUser,
  type PageElement,
  parseSnapshot,
  pushElements,
  snapshotOf,
  valueFor,
} from './page-elements.ts'

export type Learning = Guide & { readonly url: string; readonly workspace: Workspace }

const MAX_STEPS = 6
const TIMEOUT = { timeout: 5000 }

/** Registers and signs in two users on an unknown page, tries each kind of failure, and describes the page. */
export const learnPage = async (learning: Learning): Promise<RpSuitePage> => {
  const phones: Phone[] = []
  const newUser = async (name: string): Promise<User> => {
    const phone = await learning.workspace.phone({ name: 'Learning' })
    phones.push(phone)
    return { phone, values: { name } }
  }
  const of = letters(realNow())
  try {
    const users = [await newUser(`learn${of}`), await newUser(`other${of}`)] as const
    const registration = await finds(learning, 'register', users[0])
    const registrations = [registration, await repeats(learning, registration.actions, users[1], 'approve')] as const
    const registered = sharedPattern(registrations)
    if (registered === undefined)
      throw new NotLearned('After the registration was approved, the page showed nothing new.')
    learning.print(`registered: ${registered}`)
    const kept = numberPattern(registrations)
    const known = users.map((user, i) => ({
      ...user,
      values: { ...user.values, ...extractNumber(kept, registrations[i]?.after ?? []) },
    })) as [User, User]
    const signIn = await finds(learning, 'sign_in', known[0])
    const signIns = [signIn, await repeats(learning, signIn.actions, known[1], 'approve')] as const
    const signed_in = findSign(signIns)
    learning.print(`signed_in: ${typeof signed_in === 'string' ? signed_in : JSON.stringify(signed_in)}`)
    const push = await findsPush(learning, signIn, known[0])
    const failures = [
      await repeats(learning, signIn.actions, known[0], 'reject'),
      await repeats(learning, signIn.actions, known[0], 'expire'),
      await repeats(learning, signIn.actions, known[0], 'refuse'),
      await repeats(learning, registration.actions, await newUser(`third${of}`), 'reject'),
    ]
    const failed = failurePattern(failures, [...registrations, ...signIns])
    if (failed === undefined) throw new NotLearned('After a sign-in was rejected, the page showed nothing new.')
    learning.print(`failed: ${failed}`)
    const { code } = signIn
    const leaves = signIn.elements.find(({ role, name }) => role !== 'text' && SIGN_OUT.test(name))
    return {
      register: [...registration.actions],
      sign_in: [...signIn.actions],
      ...withoutUndefined({ push: push && [...push], sign_out: leaves && [pressOf(leaves)], code }),
      ...{ registered, signed_in, failed },
      ...withoutUndefined({ keep: kept === undefined ? undefined : { number: kept } }),
    }
  } finally {
    for (const phone of phones) await phone.remove().catch(() => undefined)
  }
}

const SIGN_OUT = /sign ?out|log ?out|leave|退出/i

type User = { readonly phone: Phone; readonly values: Values }

/** How a request ends; with `push`, approved without a code; with `refuse`, the service refuses to begin it. */
type End = 'approve' | 'push' | 'reject' | 'expire' | 'refuse'

type Learned = PageAtEnd & {
  readonly actions: readonly PageAction[]
  readonly code: { readonly role: string; readonly name: string } | undefined
  /** For each push element that the page showed on the way: the actions that sign in by push. */
  readonly pushes: readonly (readonly PageAction[])[]
}

/** Presses elements that lead to the goal until a code appears, approves it, and returns the actions. */
const finds = async (learning: Learning, goal: Goal, user: User): Promise<Learned> => {
  const window = await learning.newWindow()
  const { page } = window
  try {
    await page.goto(learning.url, { ...TIMEOUT, waitUntil: 'load' })
    const start = await linesOf(page)
    const actions: PageAction[] = []
    const pushes: (readonly PageAction[])[] = []
    const pressing = (target: PageElement): readonly PageAction[] => [
      ...fieldsFor(target, elements).flatMap((field) => fillingOf(field, user.values)),
      pressOf(target),
    ]
    let elements = await elementsOf(page)
    let message = await scanned(page, user.phone)
    for (let step = 0; message === undefined; step++) {
      if (step >= MAX_STEPS) throw new NotLearned(`No code appeared after ${actions.map(actionText).join(', ')}.`)
      const target = await learning.choose(goal, candidatesFor(goal, elements))
      if (target === undefined) throw new NotLearned(`No button or link leads on to "${goal}" at ${page.url()}.`)
      const next = pressing(target)
      pushes.push(...pushElements(elements).map((push) => [...actions, ...pressing(push)]))
      for (const action of next) await acts(page, action, user)
      actions.push(...next)
      // A page may hide the code once it is scanned.
      elements = await elementsOf(page)
      message = await scanned(page, user.phone)
    }
    learning.print(`${goal}: ${actions.map(actionText).join(', ')}`)
    const image =
      elements.find(({ role, name }) => role === 'img' && name !== '') ?? elements.find(({ role }) => role === 'img')
    const code = image === undefined ? undefined : { role: 'img', name: image.name }
    return { actions, code, pushes, ...(await ends(learning, page, user, { start, actions, message, end: 'approve' })) }
  } finally {
    await window.close()
  }
}

/** The first way whose push reaches the phone and signs the user in, as a code does. */
const findsPush = async (learning: Learning, { pushes, news }: Learned, user: User) => {
  for (const actions of pushes) {
    const by = `push: ${actions.map(actionText).join(', ')}`
    try {
      const pushed = await repeats(learning, actions, user, 'push')
      if (pushed.news.some((line) => news.includes(line))) {
        learning.print(by)
        return actions
      }
      learning.print(`${by} did not sign in; left out`)
    } catch (error) {
      if (!(error instanceof WaitError)) throw error
      learning.print(`${by} sent no push; left out`)
    }
  }
  return undefined
}

/** Repeats the actions for this user, with this end. */
const repeats = async (learning: Learning, actions: readonly PageAction[], user: User, end: End) => {
  const window = await learning.newWindow()
  const { page } = window
  try {
    await page.goto(learning.url, { ...TIMEOUT, waitUntil: 'load' })
    const start = await linesOf(page)
    if (end === 'refuse') await learning.workspace.service.arm('gateway-page', { only: ['assertion.options'] })
    for (const action of actions) await acts(page, action, user)
    return await ends(learning, page, user, { start, actions, end })
  } finally {
    if (end === 'refuse') await learning.workspace.service.disarm()
    await window.close()
  }
}

const acts = async (page: Page, action: PageAction, { values }: User): Promise<void> => {
  if ('open' in action) return
  if ('fill' in action)
    return page.getByLabel(action.fill, { exact: true }).fill(fillText(action.with, values), TIMEOUT)
  const before = await snapshotOf(page)
  await page
    .getByRole((action.role ?? 'button') as 'button', { name: fillText(action.press, values), exact: true })
    .click(TIMEOUT)
  if (action.role !== 'checkbox') await changed(async () => (await snapshotOf(page)) !== before)
}

type Ending = {
  readonly start: readonly string[]
  readonly actions: readonly PageAction[]
  /** Present once the phone has scanned the code. */
  readonly message?: string
  readonly end: End
}

const ends = async (
  learning: Learning,
  page: Page,
  { phone, values }: User,
  { start, actions, message, end }: Ending,
) => {
  if (end !== 'refuse') {
    const until = realNow() + CHANGE_MS
    const look =
      end === 'push'
        ? async () => (await phone.waitForPush({ timeoutMs: CHANGE_MS })).msg_id
        : () => scanned(page, phone)
    let taken = message ?? (await look())
    while (taken === undefined && realNow() < until) {
      await pause(200)
      taken = await look()
    }
    if (taken === undefined) throw new NotLearned(`No code appeared after ${actions.map(actionText).join(', ')}.`)
    const before = await linesOf(page)
    if (end === 'approve' || end === 'push') await phone.approve()
    else if (end === 'reject') await phone.reject()
    else await learning.workspace.expire(taken)
    await changed(async () => fresh(await linesOf(page), before).length > 0)
    await pause(SETTLE_MS)
    start = [...start, ...before]
  }
  const after = await linesOf(page)
  const typed = actions.flatMap((action) => ('fill' in action ? [fillText(action.with, values)] : []))
  return {
    typed,
    waiting: start,
    after,
    news: fresh(after, start),
    address: page.url(),
    elements: await elementsOf(page),
  }
}

const SETTLE_MS = 700
const CHANGE_MS = 6000

const changed = async (isSo: () => Promise<boolean>): Promise<void> => {
  const until = realNow() + CHANGE_MS
  while (realNow() < until && !(await isSo().catch(() => false))) await pause(100)
  await pause(SETTLE_MS / 2)
}

const elementsOf = async (page: Page) => parseSnapshot(await snapshotOf(page))

const linesOf = async (page: Page): Promise<readonly string[]> =>
  (await page.locator('body').innerText(TIMEOUT))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const pressOf = ({ name, role }: PageElement): PageAction => {
  const press = escapeTemplate(name)
  return role === 'button' ? { press, exact: true } : { press, role, exact: true }
}

/** Fills in a field before a button is pressed. */
const fillingOf = (field: PageElement, values: Values): readonly PageAction[] => {
  const { role, name, value } = field
  if (role === 'checkbox') return asksToAgree(field) ? [{ press: escapeTemplate(name), role, exact: true }] : []
  if (value !== '' && !namesUser(name)) return []
  const asksFor = 'number' in values && /number|\bid\b|\bno\b/i.test(name) ? '{number}' : valueFor(name)
  return [{ fill: name, with: asksFor, exact: true }]
}

/** The message that the phone has taken from the code on the page. */
const scanned = async (page: Page, phone: Phone): Promise<string | undefined> => {
  try {
    return (await phone.scan(await page.screenshot(TIMEOUT))).msg_id
  } catch (error) {
    if (error instanceof PhoneError && error.code === 'no_code') return undefined
    throw error
  }
}

const actionText = (action: PageAction): string =>
  'fill' in action ? `fill ${action.fill}` : 'press' in action ? `press ${action.press}` : `open ${action.open}`

const letters = (number: number): string => {
  let text = ''
  for (let left = number; text.length < 6; left = Math.floor(left / 26)) text += String.fromCharCode(97 + (left % 26))
  return text
}

/** The page at the end of a request. */
export type PageAtEnd = {
  /** Texts typed during the request. */
  readonly typed: readonly string[]
  /** Lines on the page before the end. */
  readonly waiting: readonly string[]
  readonly after: readonly string[]
  /** Lines that are new after the end. */
  readonly news: readonly string[]
  readonly address: string
  readonly elements: readonly PageElement[]
}

/** The last page of the same request by two users: text on both pages depends on neither user. */
type Twice = readonly [PageAtEnd, PageAtEnd]

const fresh = (now: readonly string[], before: readonly string[]): readonly string[] =>
  now.filter((line) => !before.includes(line) && /\p{L}{2}/u.test(line))

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

const withNumbers = (pattern: string): string => pattern.replace(/\d+/g, '\\d+')

/** A line as a pattern: typed texts and numbers may be different next time. */
const patternOf = (line: string, typed: readonly string[]): string =>
  withNumbers(
    typed
      .filter((text) => text.length > 2)
      .reduce((pattern, text) => pattern.replaceAll(escaped(text), '.+'), escaped(line)),
  )

const isIn = (pattern: string, lines: readonly string[]): boolean =>
  lines.some((line) => new RegExp(pattern, 'u').test(line))

/** The first new line that both pages have. */
export const sharedPattern = ([one, other]: Twice): string | undefined =>
  one.news
    .map((line) => patternOf(line, one.typed))
    .find((pattern) => isIn(pattern, other.news) && !isIn(pattern, [...one.waiting, ...other.waiting]))

/** The page's sign of the signed-in user: a line with their name, an element, its address, or their number. */
export const findSign = ([one, other]: Twice): PageSign => {
  const { news, typed, address, elements } = one
  for (const line of news) {
    const who = typed.find((text) => text.length > 2 && line.includes(text))
    if (who === undefined) continue
    const sign = withNumbers(escaped(line).replace(escaped(who), '(.+)'))
    if (isIn(sign, other.news)) return sign
  }
  const element = elements.find(({ name }) => typed.some((text) => text.length > 2 && name.includes(text)))
  if (element !== undefined) {
    const text = typed.find((each) => element.name.includes(each)) ?? ''
    return { role: element.role, name: escaped(element.name).replace(escaped(text), '(.+)') }
  }
  const path = new URL(address).pathname
  const elsewhere = new URL(other.address).pathname
  const named = typed.map((text) => text.split('@')[0] ?? text).find((text) => text.length > 2 && path.includes(text))
  if (named !== undefined) return { address: escaped(path).replace(escaped(named), '([^/?#]+)') }
  for (const line of news) {
    const sign = withNumbers(escaped(line)).replace('\\d+', '(\\d+)')
    if (isIn(sign, other.news) && !other.news.includes(line)) return sign
  }
  const numbered = escaped(path).replace(/\d+/, '(\\d+)')
  if (path !== elsewhere && isIn(numbered, [elsewhere])) return { address: numbered }
  return sharedPattern([one, other]) ?? patternOf(news[0] ?? '', typed)
}

/** Words that a page may show in failures that were not tried. */
const NO = [
  'failed',
  'did not',
  'could not',
  'cannot',
  'not possible',
  'unavailable',
  'went wrong',
  'try again',
  'refused',
  'expired',
  'timed out',
]

/** The text after a colon or a full stop is the reason, which changes each time. */
const beginningOf = (line: string): string => {
  const [first = ''] = /^.*?(?=: |\. | [–-] )/.exec(line) ?? []
  return /\S \S/.test(first) || saysNo(first) ? first : line
}

const saysNo = (text: string): boolean => NO.some((word) => text.toLowerCase().includes(word))

/** Also matches the word at the beginning of a sentence. */
const anyCase = (word: string): string => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`

/** The page's words in each failure that was tried; and similar words that it shows at no other time. */
export const failurePattern = (failures: readonly PageAtEnd[], good: readonly PageAtEnd[]): string | undefined => {
  const elsewhere = [...good, ...failures].flatMap(({ waiting }) => waiting).concat(good.flatMap(({ after }) => after))
  const found: string[] = []
  for (const { news, typed } of failures) {
    if (found.some((pattern) => isIn(pattern, news))) continue
    const patterns = news
      .map((line) => patternOf(beginningOf(line), typed))
      .filter((pattern) => !isIn(pattern, elsewhere))
    const [clearest] = patterns.filter(saysNo)
    const best = clearest ?? patterns[0]
    if (best !== undefined) found.push(best)
  }
  if (found.length === 0) return undefined
  const words = NO.filter((word) => !elsewhere.some((line) => line.toLowerCase().includes(word)))
  const isIncluded = (pattern: string): boolean => words.some((word) => pattern.toLowerCase().includes(word))
  return [...found.filter((pattern) => !isIncluded(pattern)), ...words.map(anyCase)].join('|')
}

const NUMBER = /\b[A-Z]{0,5}-?\d{4,}\b/

/** The pattern of a number that the RP gave each user at registration and may ask for at sign-in. */
export const numberPattern = ([one, other]: Twice): string | undefined => {
  for (const line of one.news) {
    const [value] = NUMBER.exec(line) ?? []
    if (value === undefined) continue
    const [before = '', after = ''] = line.split(value)
    const around = (text: string): string => patternOf(text, one.typed)
    const pattern = `${around(before)}(${value.replace(/\d+/, '\\d+')})${around(after)}`
    if (isIn(pattern, other.news) && !other.news.includes(line)) return pattern
  }
  return undefined
}

export const extractNumber = (kept: string | undefined, lines: readonly string[]): { readonly number?: string } => {
  const found = lines.map((line) => (kept === undefined ? undefined : new RegExp(kept, 'u').exec(line)?.[1]))
  const number = found.find((value) => value !== undefined)
  return number === undefined ? {} : { number }
}
