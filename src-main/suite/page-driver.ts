import type { RpSuite } from '../contract/rp-suite.ts'
import type { RpMistake } from '../contract/suite-findings.ts'
import { firstLine } from '../protocol/first-line.ts'
import { DEFAULT_ANSWER_S, MOST_TEXT } from './http-driver.ts'
import type { Visitor } from './rp-driver.ts'
import { type AttemptState, type Begun, type OpenRp, RpBroken, type RpDriver, type SuiteUser } from './rp-driver.ts'

type Timeout = { readonly timeout: number }
type Place = {
  first(): Place
  click(options: Timeout): Promise<void>
  fill(value: string, options: Timeout): Promise<void>
  waitFor(options: Timeout & { readonly state: 'visible' }): Promise<void>
  innerText(options: Timeout): Promise<string>
}

/** As much of a page in the user's own Playwright as the suite uses. */
export type SuitePage = {
  goto(url: string, options: Timeout & { readonly waitUntil: 'load' }): Promise<unknown>
  getByRole(role: string, options: { readonly name: string; readonly exact: boolean }): Place
  getByLabel(label: string, options: { readonly exact: boolean }): Place
  locator(selector: string): Place
  screenshot(options: Timeout): Promise<Uint8Array>
  on(event: 'pageerror', listener: (error: Error) => void): unknown
  on(event: 'response', listener: (response: { status(): number; url(): string }) => void): unknown
}

/** A browser's window with cookies of its own. */
export type SuiteWindow = { readonly page: SuitePage; close(): Promise<void> }

type Page = NonNullable<RpSuite['page']>
type Action = Page['sign_in'][number]

export type PageSuite = Pick<RpSuite, 'url' | 'answer_s'> & { readonly page: Page }

/** Uses an RP as its users do: on its page, in a browser. */
export const pageDriver = (suite: PageSuite, newWindow: () => Promise<SuiteWindow>): RpDriver => ({
  open: () => openRp(suite, newWindow),
  can: { passkeys: false, remove: false },
})

const openRp = (suite: PageSuite, newWindow: () => Promise<SuiteWindow>): OpenRp => {
  const windows: Promise<SuiteWindow>[] = []
  return {
    visitor: () =>
      visitorOf(suite, () => {
        const opened = newWindow()
        windows.push(opened)
        return opened
      }),
    close: async () => {
      for (const opened of windows) await opened.then((window) => window.close()).catch(() => undefined)
    },
  }
}

const visitorOf = (suite: PageSuite, newWindow: () => Promise<SuiteWindow>): Visitor => {
  const { url, page: words, answer_s = DEFAULT_ANSWER_S } = suite
  const timeout = answer_s * 1000
  const [registered, signedIn, failed] = [words.registered, words.signed_in, words.failed].map(
    (each) => new RegExp(each, 'u'),
  )
  let opened: Promise<SuitePage> | undefined
  let problem: RpMistake | undefined
  let asks: 'register' | 'sign_in' | undefined

  const open = async (): Promise<SuitePage> => {
    const { page } = await newWindow()
    page.on('pageerror', (error) => {
      problem ??= { code: 'page_threw', params: { error: firstLine(error) } }
    })
    page.on('response', (response) => {
      if (response.status() === 500) problem ??= { code: 'page_crashed', params: { url: response.url() } }
    })
    await page
      .goto(url + (words.path ?? '/'), { timeout, waitUntil: 'load' })
      .catch(broken((error) => ({ code: 'page_did_not_open', params: { error } })))
    return page
  }

  const pageOf = async (): Promise<SuitePage> => {
    opened ??= open()
    const page = await opened
    if (problem !== undefined) throw new RpBroken(problem)
    return page
  }

  const textOf = async (): Promise<string> => {
    const page = await pageOf()
    return page
      .locator('body')
      .innerText({ timeout })
      .catch(broken((error) => ({ code: 'page_showed_nothing', params: { error } })))
  }

  const begin = async (actions: readonly Action[], user: SuiteUser): Promise<Begun> => {
    const page = await pageOf()
    for (const action of actions) await act(page, action, user, timeout)
    const { role = 'img', name = '' } = words.code
    const code = page.getByRole(role, { name, exact: false }).first()
    const end = new AbortController()
    const isShown = code.waitFor({ state: 'visible', timeout }).then(
      () => true,
      () => false,
    )
    const isRefused = untilText(textOf, failed, end.signal)
    const shown = await Promise.race([isShown, isRefused.then(() => false)])
    end.abort()
    if (shown) return { ok: true, kept: {}, shown: { screenshot: () => page.screenshot({ timeout }) } }
    const text = await textOf()
    const said = text.slice(0, MOST_TEXT)
    if (failed?.test(text) === true) return { ok: false, refusal: said }
    throw new RpBroken({ code: 'page_showed_no_code', params: { text: said } })
  }

  return {
    register: (user) => {
      asks = 'register'
      return begin(words.register, user)
    },
    signIn: (user) => {
      asks = 'sign_in'
      return begin(words.sign_in, user)
    },
    state: async (begun): Promise<AttemptState> => {
      if (!begun.ok) return 'failed'
      const text = await textOf()
      if ((asks === 'register' ? registered : signedIn)?.test(text) === true) return 'done'
      return failed?.test(text) === true ? 'failed' : 'pending'
    },
    who: async () => signedIn?.exec(await textOf())?.[1],
    passkeys: async () => undefined,
    remove: async () => undefined,
  }
}

const act = async (page: SuitePage, action: Action, user: SuiteUser, timeout: number): Promise<void> => {
  const { exact = false } = action
  if ('fill' in action) {
    const value = action.with.replaceAll('{user_id}', user.user_id).replaceAll('{username}', user.username)
    const field = page.getByLabel(action.fill, { exact })
    return field
      .fill(value, { timeout })
      .catch(broken((error) => ({ code: 'no_field', params: { label: action.fill, error } })))
  }
  const { press: name, role = 'button' } = action
  return page
    .getByRole(role, { name, exact })
    .click({ timeout })
    .catch(broken((error) => ({ code: 'no_element', params: { role, name, error } })))
}

const LOOK_MS = 100

const untilText = async (
  textOf: () => Promise<string>,
  wanted: RegExp | undefined,
  end: AbortSignal,
): Promise<void> => {
  while (!end.aborted) {
    if (wanted?.test(await textOf()) === true) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

const broken =
  (mistake: (error: string) => RpMistake) =>
  (error: unknown): never => {
    throw new RpBroken(mistake(firstLine(error)))
  }
