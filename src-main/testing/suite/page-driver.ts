import type { Page, Request } from '@playwright/test'
import type { PageAction, PageSign, RpSuite, RpSuitePage } from '../../core/contract/rp-suite.ts'
import type { RpMistake } from '../../core/contract/suite-findings.ts'
import { firstErrorLine } from '../../core/protocol/message-of.ts'
import { pause, realNow } from '../../sdk/real-time.ts'
import { fillText, type Values } from '../calls/placeholders.ts'
import { findCrashCause } from './crash-cause.ts'
import { DEFAULT_ANSWER_S, MAX_TEXT } from './http-session.ts'
import { type AttemptState, type Begun, RpBroken, type RpDriver, type SuiteUser, type Visitor } from './rp-driver.ts'

/** A browser window with separate cookies. */
export type SuiteWindow = { readonly page: Page; close(): Promise<void> }

export type PageSuite = Pick<RpSuite, 'url' | 'answer_s'> & { readonly page: RpSuitePage }

type Around = {
  readonly newWindow: () => Promise<SuiteWindow>
  readonly prepare?: (user: SuiteUser) => Promise<SuiteUser>
}

export const pageDriver = (suite: PageSuite, { newWindow, prepare = async (user) => user }: Around): RpDriver => ({
  open: (onText) => {
    const windows: Promise<SuiteWindow>[] = []
    const open = (): Promise<SuiteWindow> => {
      const opened = newWindow()
      windows.push(opened)
      return opened
    }
    return {
      visitor: (before = {}) => visitorOf(suite, { open, onText, before }),
      prepare,
      close: async () => {
        for (const opened of windows) await opened.then((window) => window.close()).catch(() => undefined)
      },
    }
  },
  can: {
    push: suite.page.push !== undefined,
    pushCode: true,
    signOut: suite.page.sign_out !== undefined,
    passkeys: false,
    remove: false,
  },
})

type Opening = {
  readonly open: () => Promise<SuiteWindow>
  readonly onText: Parameters<RpDriver['open']>[0]
  readonly before: Values
}

const visitorOf = (suite: PageSuite, { open: newWindow, onText, before }: Opening): Visitor => {
  const { url, page: words, answer_s = DEFAULT_ANSWER_S } = suite
  const timeout = answer_s * 1000
  let known: Values = before
  let opened: Promise<Page> | undefined
  let problem: RpMistake | undefined
  let lookedAt = 0
  /** Addresses that a script fetched for the current request, by their paths. */
  let fetched = new Map<string, string>()
  let asks: 'registered' | 'signed_in' = 'signed_in'
  /** The user signed in when the request began: a page may go on showing them. */
  let whoBefore: string | undefined

  const open = async (): Promise<Page> => {
    const { page } = await newWindow()
    page.on('pageerror', (error) => {
      const cause = findCrashCause(error.stack ?? '')
      problem ??= {
        code: 'page_threw',
        params: { error: firstErrorLine(error), ...(cause === undefined ? {} : { cause }) },
      }
    })
    page.on('response', (response) => {
      const address = response.url()
      if (isFetch(response.request()) && new URL(address).origin === new URL(url).origin && namesRequest(address))
        fetched.set(new URL(address).pathname, address)
      if (response.status() === 500) problem ??= { code: 'page_crashed', params: { url: address } }
      response.text().then(
        (text) => onText(text, address),
        () => undefined,
      )
    })
    return page
  }

  const pageOf = async (): Promise<Page> => {
    opened ??= open()
    const page = await opened
    if (problem !== undefined) throw new RpBroken(problem)
    return page
  }

  const go = async (address: string): Promise<Page> => {
    const page = await pageOf()
    await page
      .goto(address, { timeout, waitUntil: 'load' })
      .catch(broken((error) => ({ code: 'page_did_not_open', params: { error } })))
    return page
  }

  const textOf = async (): Promise<string> => {
    const page = await pageOf()
    // During a navigation the page has no text for a moment.
    const text = await page
      .locator('body')
      .innerText({ timeout })
      .catch(() => page.locator('body').innerText({ timeout }))
      .catch(broken((error) => ({ code: 'page_showed_nothing', params: { error } })))
    return text
  }

  /** The text that the sign finds on the page: its first group, or the whole match. */
  const seen = async (sign: PageSign, read = textOf): Promise<string | undefined> => {
    const page = await pageOf()
    if (typeof sign === 'string') return groupOf(sign, await read())
    if ('text' in sign) return groupOf(sign.text, await read())
    if ('address' in sign) return groupOf(sign.address, page.url())
    if ('cookie' in sign) return (await page.context().cookies()).find(({ name }) => name === sign.cookie)?.value
    const place = page.getByRole(sign.role as 'button', { name: new RegExp(sign.name, 'u') }).first()
    if ((await place.count()) === 0) return undefined
    const label = (await place.getAttribute('aria-label', { timeout: 1000 }).catch(() => null)) ?? ''
    const text = (await place.innerText({ timeout: 1000 }).catch(() => '')).trim()
    const found = new RegExp(sign.name, 'u').exec(label || text)
    // Without a group, the element's whole text counts: its name may be the same for all users.
    return found?.[1] ?? (text || label || sign.name)
  }

  const act = async (action: PageAction): Promise<void> => {
    const page = await pageOf()
    if ('open' in action) {
      const to = fillText(action.open, known)
      await go(/^https?:/.test(to) ? to : url.replace(/\/$/, '') + to)
      return
    }
    const { exact = false } = action
    if ('fill' in action)
      return page
        .getByLabel(action.fill, { exact })
        .fill(fillText(action.with, known), { timeout })
        .catch(broken((error) => ({ code: 'no_field', params: { label: action.fill, error } })))
    const { role = 'button' } = action
    const name = fillText(action.press, known)
    return page
      .getByRole(role as 'button', { name, exact })
      .click({ timeout })
      .catch(broken((error) => ({ code: 'no_element', params: { role, name, error } })))
  }

  const begin = async (
    ending: typeof asks,
    actions: readonly PageAction[],
    user: SuiteUser,
    codeMs = timeout,
  ): Promise<Begun> => {
    asks = ending
    known = { ...known, ...user }
    await go(url.replace(/\/$/, '') + (words.path ?? '/'))
    const from = (await pageOf()).url()
    const own = new Map<string, string>()
    fetched = own
    whoBefore = await seen(words.signed_in)
    for (const action of actions) {
      try {
        await act(action)
      } catch (error) {
        // A page that shows a failure during the actions has refused.
        if (!(error instanceof RpBroken) || problem !== undefined) throw error
        const refusal = await seen(words.failed)
        if (refusal === undefined) throw error
        return { ok: false, refusal: (await textOf()).slice(0, MAX_TEXT) }
      }
    }
    const page = await pageOf()
    const { role = 'img', name = '' } = words.code ?? {}
    const code = page.getByRole(role as 'button', { name, exact: false }).first()
    const until = realNow() + codeMs
    for (;;) {
      if ((await code.count()) > 0) break
      if ((await seen(words.failed)) !== undefined) return { ok: false, refusal: (await textOf()).slice(0, MAX_TEXT) }
      if (realNow() > until) break
      await pause(LOOK_MS)
    }
    const isShown = (await code.count()) > 0
    const address = page.url()
    const isUnchanged = address === from
    return {
      ok: true,
      kept: {},
      // `who` reads the last address, and fetched data may name a user who is not signed in: the page comes last.
      addresses: () => (isUnchanged ? [...own.values(), from] : [address]),
      isNameless: () => isUnchanged && own.size === 0,
      ...(isShown
        ? { code: { screenshot: () => pictureOf(page), isThere: async () => (await code.count()) > 0 } }
        : {}),
    }
  }

  /** Tries again on a slow machine: without a picture there is no verdict. */
  const pictureOf = (page: Page): Promise<Uint8Array> =>
    page
      .screenshot({ timeout })
      .catch(() => page.screenshot({ timeout: 4 * timeout }))
      .catch(broken((error) => ({ code: 'no_picture', params: { error } })))

  const keep = async (): Promise<void> => {
    const text = await textOf()
    for (const [name, pattern] of Object.entries(words.keep ?? {})) {
      const value = groupOf(pattern, text)
      if (value !== undefined) known = { ...known, [name]: value }
    }
  }

  return {
    register: (user) => begin('registered', words.register, user),
    signIn: (user) => begin('signed_in', words.sign_in, user),
    push: (user) => begin('signed_in', words.push ?? words.sign_in, user, UNWANTED_CODE_MS),
    state: async (begun): Promise<AttemptState> => {
      if (!begun.ok) return 'failed'
      // Each look costs the browser as much as a user's click, and several stories share the browser.
      await pause(Math.max(0, lookedAt + STATE_MS - realNow()))
      lookedAt = realNow()
      let text: Promise<string> | undefined
      const read = (): Promise<string> => {
        text ??= textOf()
        return text
      }
      const found = await seen(words[asks], read)
      if (found !== undefined && (asks === 'registered' || found !== whoBefore)) {
        if (asks === 'registered') await keep()
        return 'done'
      }
      return (await seen(words.failed, read)) === undefined ? 'pending' : 'failed'
    },
    revisit: async (begun) => {
      if (!begun.ok) return
      for (const address of begun.addresses?.() ?? [url]) await go(address).catch(() => undefined)
    },
    leave: async () => void (await go('about:blank')),
    who: () => seen(words.signed_in),
    signOut: async () => {
      for (const action of words.sign_out ?? []) await act(action)
    },
    passkeys: async () => undefined,
    remove: async () => undefined,
    hasMarkup: async () => (await (await pageOf()).locator('[data-handset-markup]').count()) > 0,
    shown: async ({ screenshot } = { screenshot: false }) => {
      if (opened === undefined) return { text: '' }
      const page = await opened
      const text = await page
        .locator('body')
        .innerText({ timeout })
        .catch(() => '')
      const picture = screenshot ? await page.screenshot({ timeout }).catch(() => undefined) : undefined
      return {
        text: text
          .replace(/\s+/g, ' ')
          .trim()
          .slice(0, 2 * MAX_TEXT),
        address: page.url(),
        ...(picture === undefined ? {} : { screenshot: Buffer.from(picture).toString('base64') }),
      }
    },
    kept: () => known,
  }
}

const LOOK_MS = 60
/** Minimum time between two reads of a page's state. */
const STATE_MS = 120
/** Time for a page to show the code that a push must not have. */
const UNWANTED_CODE_MS = 500

const isFetch = (request: Request): boolean =>
  request.method() === 'GET' && /^(fetch|xhr)$/.test(request.resourceType())

/** True if a segment of the path or a value of the query looks like an ID. A short number in the query may count something. */
export const namesRequest = (address: string): boolean => {
  const { pathname, searchParams } = new URL(address)
  return (
    pathname.split('/').some((part) => /^\d+$/.test(part) || ID.test(part)) ||
    [...searchParams.values()].some((value) => ID.test(value))
  )
}

const ID = /^(?=.*[a-z])(?:(?=.*\d)[\w-]{8,}|[\w-]{20,})$/i

const groupOf = (pattern: string, text: string): string | undefined => {
  const found = new RegExp(pattern, 'u').exec(text)
  return found === null ? undefined : (found[1] ?? found[0])
}

const broken =
  (mistake: (error: string) => RpMistake) =>
  (error: unknown): never => {
    throw new RpBroken(mistake(firstErrorLine(error)))
  }
