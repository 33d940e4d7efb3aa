import type { SuiteWindow } from '../page-driver.ts'

/** An element of a page, as assistive technology names it. */
export type PageElement = {
  readonly role: string
  readonly name: string
  /** Content of a field. */
  readonly value: string
  readonly isChecked: boolean
}

const LINE = /^\s*- (?:'|)(\w+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)(?:: (.*))?/

/** From Playwright's ARIA snapshot, a line for each element. */
export const parseSnapshot = (snapshot: string): readonly PageElement[] =>
  snapshot.split('\n').flatMap((line) => {
    const [, role, name = '', states = '', value = ''] = LINE.exec(line) ?? []
    if (role === undefined || role === 'text') return []
    return [{ role, name: name.replace(/\\(.)/g, '$1'), value, isChecked: states.includes('[checked') }]
  })

/** Playwright lists the elements from 1.49 on. During a navigation the page has no body for a moment. */
export const snapshotOf = async (page: {
  locator(selector: string): { ariaSnapshot?(): Promise<string> }
}): Promise<string> => {
  const body = page.locator('body')
  if (body.ariaSnapshot === undefined) throw new NotLearned('This needs Playwright 1.49 or newer.')
  return body.ariaSnapshot().catch(() => page.locator('body').ariaSnapshot?.() ?? '')
}

/** Why a page could not be learned, in words for the person at the terminal. */
export class NotLearned extends Error {
  override readonly name = 'NotLearned'
}

export type Goal = 'register' | 'sign_in' | 'push'

/** The browser and the terminal of the person who learns a page. */
export type Guide = {
  readonly newWindow: () => Promise<SuiteWindow>
  /** Chooses the element that leads to the goal: the first one unless set otherwise. */
  readonly choose: (goal: Goal, among: readonly PageElement[]) => Promise<PageElement | undefined>
  /** Reports a finding. */
  readonly print: (line: string) => void
}

export const asksToAgree = ({ isChecked, name }: PageElement): boolean =>
  !isChecked && /accept|agree|terms|consent/i.test(name)

/** Words on buttons and links, by their goal. */
const WORDS: Readonly<Record<Goal, RegExp>> = {
  register: /regist|sign ?up|\bjoin\b|create|enrol|new (account|user|member)|add (a )?passkey|get started|注册/i,
  sign_in: /sign ?in|log ?in|authenticat(e|ion)|check (regist|passkey|credential)|登录/i,
  push: /push|send (it )?to|my phone|notif|推送/i,
}
const CODE = /code|qr|scan|二维码/i
const ONWARD = /continue|next|go\b|submit|send|show|start|begin|ok\b|enter|继续|下一步/i
const AWAY = /sign ?out|log ?out|leave|delete|remove|clear|reset|cancel|back|退出|删除|取消/i

/** The elements a user would press to reach the goal, most likely first. */
export const candidatesFor = (goal: Goal, elements: readonly PageElement[]): readonly PageElement[] => {
  const others = Object.keys(WORDS).filter(
    (each): each is Goal => each !== goal && !(goal === 'push' && each === 'sign_in'),
  )
  const scoreOf = ({ role, name }: PageElement): number => {
    if (name === '' || AWAY.test(name)) return -1
    const isGoal = WORDS[goal].test(name)
    const isOther = others.some((other) => WORDS[other].test(name)) && !isGoal
    const kind = role === 'button' ? 0.5 : 0
    if (isGoal) return 3 + kind + (goal !== 'push' && CODE.test(name) ? 0.25 : 0)
    if (isOther) return -1
    if (goal !== 'push' && CODE.test(name)) return 2 + kind
    return ONWARD.test(name) ? 1 + kind : 0
  }
  return elements
    .filter(({ role }) => role === 'button' || role === 'link' || role === 'tab')
    .map((element) => ({ element, score: scoreOf(element) }))
    .filter(({ score, element }) => score > 0 && !(element.role === 'link' && score < 2))
    .toSorted((a, b) => b.score - a.score)
    .map(({ element }) => element)
}

/** The fields that belong to a button: those before it, back to the button of another form. */
export const fieldsFor = (target: PageElement, elements: readonly PageElement[]): readonly PageElement[] => {
  const isField = ({ role, name }: PageElement): boolean => (role === 'textbox' || role === 'checkbox') && name !== ''
  const at = elements.indexOf(target)
  const last = elements.findLastIndex((element, i) => i < at && isField(element))
  const other = elements.findLastIndex(({ role }, i) => i < last && role === 'button')
  return elements.filter((element, i) => i > other && i < at && isField(element))
}

/** The elements that say that they sign in by push. */
export const pushElements = (elements: readonly PageElement[]): readonly PageElement[] =>
  candidatesFor('push', elements).filter(({ name }) => WORDS.push.test(name) && !CODE.test(name))

/** A page may suggest a user name, but each user of the suite has one of their own. */
export const namesUser = (label: string): boolean => /user|account|login|mail|^(your )?name\b/i.test(label)

/** Text that a user would type into a field. */
export const valueFor = (label: string): string => {
  if (/mail/i.test(label)) return '{name}@example.org'
  if (/first|given/i.test(label)) return 'Robin'
  if (/last|family|surname/i.test(label)) return 'Doe'
  if (/full name|real name/i.test(label)) return 'Robin Doe'
  if (/depart|company|team|organi[sz]ation/i.test(label)) return 'Tests'
  return '{name}'
}
