import type { PageAction, RpSuitePage, Sign } from '../../contract/rp-suite.ts'
import { PhoneError } from '../../sdk/errors.ts'
import type { Phone } from '../../sdk/phone.ts'
import { pause, realNow } from '../../sdk/real-time.ts'
import type { Workspace } from '../../sdk/workspace.ts'
import type { SuitePage, SuiteWindow } from '../page-driver.ts'
import { fillText, type Values } from '../placeholders.ts'
import { candidatesFor, type Goal, type PageElement, parseSnapshot, valueFor } from './page-elements.ts'

/** As much of a page as is learned from; its elements can be listed by Playwright from 1.49 on. */
export type LearnedPage = Omit<SuitePage, 'locator'> & {
  locator(selector: string): {
    ariaSnapshot?(): Promise<string>
    innerText(options: { readonly timeout: number }): Promise<string>
  }
}

export type Learning = {
  readonly url: string
  readonly workspace: Workspace
  readonly newWindow: () => Promise<SuiteWindow>
  /** Which of several elements leads to the goal: the first one unless somebody says otherwise. */
  readonly choose: (goal: Goal, among: readonly PageElement[]) => Promise<PageElement | undefined>
  /** What was found out. */
  readonly tell: (line: string) => void
}

/** Why a page could not be learned, in words for whoever sits there. */
export class NotLearned extends Error {
  override readonly name = 'NotLearned'
}

const MOST_STEPS = 6
const TIMEOUT = { timeout: 5000 }

/** Registers a user and signs them in on a page that nobody described, and describes it. */
export const learnPage = async (learning: Learning): Promise<RpSuitePage> => {
  const phones: Phone[] = []
  const newPhone = async (): Promise<Phone> => {
    const phone = await learning.workspace.phone({ name: 'Learning' })
    phones.push(phone)
    return phone
  }
  try {
    const phone = await newPhone()
    const values: Values = { name: `learn${letters(realNow())}` }
    const registration = await plays(learning, { goal: 'register', phone, values, answer: 'approve' })
    const said = registration.news[0]
    if (said === undefined) throw new NotLearned('After the registration was approved, the page showed nothing new.')
    const registered = patternOf(said, registration.typed)
    learning.tell(`registered: ${registered}`)
    const kept = keptFrom(registration.after)
    const known = { ...values, ...Object.fromEntries(kept.map(({ name, value }) => [name, value])) }
    const signIn = await plays(learning, { goal: 'sign_in', phone, values: known, answer: 'approve' })
    const signed_in = signOf(signIn)
    learning.tell(`signed_in: ${typeof signed_in === 'string' ? signed_in : JSON.stringify(signed_in)}`)
    const refused = await plays(learning, { goal: 'sign_in', phone, values: known, answer: 'reject' })
    const no = refused.news.find((line) => !registration.before.includes(line) && !signIn.after.includes(line))
    if (no === undefined) throw new NotLearned('After a sign-in was rejected, the page showed nothing new.')
    const failed = patternOf(no, refused.typed)
    learning.tell(`failed: ${failed}`)
    const { code } = signIn
    return {
      register: [...registration.actions],
      sign_in: [...signIn.actions],
      ...(code === undefined ? {} : { code }),
      registered,
      signed_in,
      failed: `${failed}|try again|did not work`,
      ...(kept.length === 0 ? {} : { keep: Object.fromEntries(kept.map(({ name, pattern }) => [name, pattern])) }),
    }
  } finally {
    for (const phone of phones) await phone.remove().catch(() => undefined)
  }
}

type Play = {
  readonly goal: Goal
  readonly phone: Phone
  readonly values: Values
  readonly answer: 'approve' | 'reject'
}

type Learned = {
  readonly actions: readonly PageAction[]
  readonly code: { readonly role: string; readonly name: string } | undefined
  /** What was typed, as it may stand on the page later. */
  readonly typed: readonly string[]
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Lines that stand there after the answer and did not before. */
  readonly news: readonly string[]
  readonly address: string
  readonly elements: readonly PageElement[]
}

const plays = async (learning: Learning, { goal, phone, values, answer }: Play): Promise<Learned> => {
  const window = await learning.newWindow()
  const page: LearnedPage = window.page
  try {
    await page.goto(learning.url, { ...TIMEOUT, waitUntil: 'load' })
    const start = await linesOf(page)
    const actions: PageAction[] = []
    const typed: string[] = []
    for (let step = 0; ; step++) {
      if (await scanned(page, phone)) break
      if (step >= MOST_STEPS) throw new NotLearned(`No code appeared after ${actions.map(told).join(', ')}.`)
      const elements = await elementsOf(page)
      for (const action of fieldsOf(elements, values)) {
        if ('press' in action) await page.getByRole('checkbox', { name: action.press }).click(TIMEOUT)
        else if ('fill' in action) {
          const text = fillText(action.with, values)
          typed.push(text)
          await page.getByLabel(action.fill, { exact: true }).fill(text, TIMEOUT)
        }
        actions.push(action)
      }
      const target = await learning.choose(goal, candidatesFor(goal, elements))
      if (target === undefined) throw new NotLearned(`No button or link leads on to "${goal}" at ${page.url()}.`)
      const { role, name } = target
      actions.push({ press: name, ...(role === 'button' ? {} : { role }), exact: true })
      const before = await snapshotOf(page)
      await page.getByRole(role, { name, exact: true }).click(TIMEOUT)
      await changed(async () => (await snapshotOf(page)) !== before)
    }
    learning.tell(`${goal}: ${actions.map(told).join(', ')}`)
    const elements = await elementsOf(page)
    const image =
      elements.find(({ role, name }) => role === 'img' && name !== '') ?? elements.find(({ role }) => role === 'img')
    const before = await linesOf(page)
    await (answer === 'approve' ? phone.approve() : phone.reject())
    await changed(async () => fresh(await linesOf(page), before).length > 0)
    await pause(SETTLE_MS)
    const after = await linesOf(page)
    const code = image === undefined ? undefined : { role: 'img', name: image.name }
    const news = fresh(after, [...before, ...start])
    return { actions, code, typed, before: start, after, news, address: page.url(), elements: await elementsOf(page) }
  } finally {
    await window.close()
  }
}

const SETTLE_MS = 700
const CHANGE_MS = 6000

const changed = async (isSo: () => Promise<boolean>): Promise<void> => {
  const until = realNow() + CHANGE_MS
  while (realNow() < until && !(await isSo().catch(() => false))) await pause(100)
  await pause(SETTLE_MS / 2)
}

const snapshotOf = async (page: LearnedPage): Promise<string> => {
  const body = page.locator('body')
  if (body.ariaSnapshot === undefined) throw new NotLearned('This needs Playwright 1.49 or newer.')
  return body.ariaSnapshot()
}

const elementsOf = async (page: LearnedPage) => parseSnapshot(await snapshotOf(page))

const linesOf = async (page: LearnedPage): Promise<readonly string[]> =>
  (await page.locator('body').innerText(TIMEOUT))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const fresh = (now: readonly string[], before: readonly string[]): readonly string[] =>
  now.filter((line) => !before.includes(line) && /\p{L}{2}/u.test(line))

/** What a user fills in before they press on. */
const fieldsOf = (
  elements: readonly PageElement[],
  values: Values,
): readonly (PageAction & { readonly press?: string })[] =>
  elements.flatMap((element, at): readonly PageAction[] => {
    const { role, name, value, isChecked } = element
    const isFirst = elements.findIndex((each) => each.role === role && each.name === name) === at
    if (name === '' || !isFirst) return []
    if (role === 'checkbox' && !isChecked && /accept|agree|terms|consent/i.test(name)) return [{ press: name, role }]
    if (role !== 'textbox' || value !== '') return []
    const asksFor =
      'number' in values && /number|\bid\b|\bno\b/i.test(name) ? '{number}' : valueFor(name, { address: false })
    return [{ fill: name, with: asksFor, exact: true }]
  })

const scanned = async (page: LearnedPage, phone: Phone): Promise<boolean> => {
  try {
    await phone.scan(await page.screenshot(TIMEOUT))
    return true
  } catch (error) {
    if (error instanceof PhoneError && error.code === 'no_code') return false
    throw error
  }
}

const told = (action: PageAction): string =>
  'fill' in action ? `fill ${action.fill}` : 'press' in action ? `press ${action.press}` : `open ${action.open}`

/** A line as a pattern: what was typed, and numbers, may be others next time. */
const patternOf = (line: string, typed: readonly string[]): string =>
  typed
    .filter((text) => text.length > 2)
    .reduce((pattern, text) => pattern.replaceAll(escaped(text), '.+'), escaped(line))
    .replace(/\d+/g, '\\d+')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** How the page says who is signed in: by a line with their name, by its address, by an element. */
const signOf = ({ news, typed, address, elements }: Learned): Sign => {
  const who = typed.find((text) => news.some((line) => line.includes(text)))
  const line = news.find((each) => who !== undefined && each.includes(who))
  if (line !== undefined && who !== undefined) return escaped(line).replace(escaped(who), '(.+)')
  const element = elements.find(({ name }) => typed.some((text) => name.includes(text)))
  if (element !== undefined) {
    const text = typed.find((each) => element.name.includes(each)) ?? ''
    return { role: element.role, name: escaped(element.name).replace(escaped(text), '(.+)') }
  }
  const path = new URL(address).pathname
  const named = typed.map((text) => text.split('@')[0] ?? text).find((text) => text.length > 2 && path.includes(text))
  if (named !== undefined) return { address: escaped(path).replace(escaped(named), '([^/?#]+)') }
  const [first] = news
  if (first === undefined) throw new NotLearned('After the sign-in was approved, the page showed nothing new.')
  return patternOf(first, typed)
}

/** A number that the RP gave at the registration, which a sign-in may ask for. */
const keptFrom = (lines: readonly string[]) => {
  for (const line of lines) {
    const [value] = /\b[A-Z]{0,5}-?\d{4,}\b/.exec(line) ?? []
    if (value === undefined) continue
    const form = value.replace(/\d+/, '\\d+')
    return [
      {
        name: 'number',
        value,
        pattern: escaped(line)
          .replace(escaped(value), `(${form})`)
          .replace(/\d+(?![^(]*\))/g, '\\d+'),
      },
    ]
  }
  return []
}

const letters = (number: number): string => {
  let text = ''
  for (let left = number; text.length < 6; left = Math.floor(left / 26)) text += String.fromCharCode(97 + (left % 26))
  return text
}
