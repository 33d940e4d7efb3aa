import type { Page } from '@playwright/test'
import { errors } from '../../../core/contract/errors.ts'
import type { BrowserAction } from '../../../core/contract/scenario/own-rp-steps.ts'
import type { ElementOnPage } from '../../../core/contract/scenario/problems.ts'
import { firstErrorLine } from '../../../core/protocol/message-of.ts'
import { ControlError } from '../../../sdk/client.ts'
import { findMismatch } from '../patterns/mismatch.ts'
import { phoneIdParam, type ScenarioState, screenOutcome } from '../scenario-state.ts'
import { badInput, failure, ScenarioMistake, type StepFailure, type StepOutcome, withText } from '../step-outcome.ts'
import { limitInMs, startLimit } from '../time-limit.ts'

const POLL_MS = 100
const MAX_TEXT = 600
const DEFAULT_PAGE = 'page'
const USUAL_NOTHING = { ms: 500 } as const
/** A wrong text must not delay a test as long as a page load may: this is twice the timeout of Playwright's expect. */
const USUAL_EXPECTATION = { s: 10 } as const
/** A page that is changing to another one on a busy machine has no text for a while. */
const LOOK_MS = 5_000

export const runBrowserAction = async (action: BrowserAction, state: ScenarioState): Promise<StepOutcome> => {
  const name = action.page ?? DEFAULT_PAGE
  if ('open' in action) {
    const page = await state.own.browsing.page(name)
    return page.ok ? open(page.value, action) : page.error
  }
  const page = state.own.browsing.opened(name)
  if (page === undefined) return failure({ code: 'no_page', params: { page: name } })
  if ('press' in action) return press(page, action)
  if ('fill' in action) return fill(page, action)
  if ('scan' in action) return scan(page, action, state)
  if ('expect' in action) return expectText(page, action, state)
  if ('expect_no' in action) return expectNoText(page, action, state)
  return expectUrl(page, action, state)
}

type Action<K extends string> = Extract<BrowserAction, Readonly<Record<K, unknown>>>

const open = async (page: Page, { open: url, until }: Action<'open'>): Promise<StepOutcome> => {
  const timeout = limitInMs(until)
  try {
    await page.goto(url, { timeout, waitUntil: 'load' })
    return withText(page.url())
  } catch (error) {
    if (isTimeout(error)) return failure({ code: 'too_slow', params: { url, within_ms: timeout } })
    return failure({ code: 'unreachable', params: { url, error: firstErrorLine(error) } })
  }
}

const press = (page: Page, { press: name, role = 'button', exact = false, until }: Action<'press'>) =>
  act(page, { role, name, several: false }, limitInMs(until), (timeout) =>
    page.getByRole(role as 'button', { name, exact }).click({ timeout }),
  )

const fill = (page: Page, { fill: label, with: text, exact = false, until }: Action<'fill'>) =>
  act(page, { field: label, several: false }, limitInMs(until), (timeout) =>
    page.getByLabel(label, { exact }).fill(text, { timeout }),
  )

const act = async (
  page: Page,
  expected: Extract<ElementOnPage, { readonly several: boolean }>,
  timeout: number,
  run: (timeout: number) => Promise<void>,
): Promise<StepOutcome> => {
  try {
    await run(timeout)
    return withText(page.url())
  } catch (error) {
    // Playwright has no error code for several matches.
    const several = firstErrorLine(error).includes('strict mode violation')
    return differs(page, { ...expected, several }, timeout)
  }
}

const scan = async (page: Page, { scan: phone, until }: Action<'scan'>, state: ScenarioState): Promise<StepOutcome> => {
  const left = startLimit(state, until)
  const params = phoneIdParam(state, { phone })
  for (;;) {
    try {
      const data = Buffer.from(await page.screenshot({ timeout: Math.max(1, left()) })).toString('base64')
      const body = { image: { data, type: 'png' }, glance: true } as const
      return screenOutcome(await state.client.call('phones.scan', { params, body }))
    } catch (error) {
      const noCode = error instanceof ControlError && isNoCode(error)
      if (!noCode && !isTimeout(error)) throw error
      if (left() === 0)
        return failure({ code: 'no_code_on_page', params: { url: page.url(), within_ms: limitInMs(until) } })
    }
    await state.pause(Math.min(POLL_MS, left()))
  }
}

const isNoCode = ({ code, data }: ControlError): boolean =>
  code === errors.phone_refused.code &&
  typeof data === 'object' &&
  data !== null &&
  'word' in data &&
  data.word === 'no_code'

const expectText = (
  page: Page,
  { expect, role, until = USUAL_EXPECTATION }: Action<'expect'>,
  state: ScenarioState,
) => {
  if (role !== undefined) {
    if (typeof expect !== 'string') {
      throw badInput({ field: 'browser.expect', expected: { code: 'text' }, got: JSON.stringify(expect) })
    }
    return act(page, { role, name: expect, several: false }, limitInMs(until), (timeout) =>
      page
        .getByRole(role as 'button', { name: expect, exact: false })
        .first()
        .waitFor({ state: 'visible', timeout }),
    )
  }
  const wanted = typeof expect === 'string' ? { contains: expect } : expect
  return untilSo(page, state, {
    ms: limitInMs(until),
    expected: { text: expect },
    isSo: async (timeout) => findMismatch(wanted, await textOf(page, timeout)) === undefined,
  })
}

const expectUrl = (
  page: Page,
  { expect_url: wanted, until = USUAL_EXPECTATION }: Action<'expect_url'>,
  state: ScenarioState,
) =>
  untilSo(page, state, {
    ms: limitInMs(until),
    expected: { address: wanted },
    isSo: async () => findMismatch(wanted, page.url()) === undefined,
  })

/** Checks during the whole time, since the page may show the text a moment later. */
const expectNoText = async (
  page: Page,
  { expect_no: unwanted, within = USUAL_NOTHING }: Action<'expect_no'>,
  state: ScenarioState,
): Promise<StepOutcome> => {
  const left = startLimit(state, within)
  do {
    if ((await textOf(page, LOOK_MS)).includes(unwanted)) {
      return differs(page, { no_text: unwanted }, limitInMs(within))
    }
    await state.pause(Math.min(POLL_MS, left()))
  } while (left() > 0)
  return withText(page.url())
}

type Look = {
  readonly ms: number
  readonly expected: ElementOnPage
  readonly isSo: (timeout: number) => Promise<boolean>
}

const untilSo = async (page: Page, state: ScenarioState, { ms, expected, isSo }: Look): Promise<StepOutcome> => {
  const left = startLimit(state, { ms })
  for (;;) {
    try {
      if (await isSo(Math.max(1, left())))
        return withText(page.url(), { text: await textOf(page, ms), url: page.url() })
    } catch (error) {
      // During a navigation the page has no text for a moment.
      if (error instanceof ScenarioMistake) throw error
    }
    if (left() === 0) return differs(page, expected, ms)
    await state.pause(Math.min(POLL_MS, left()))
  }
}

const textOf = (page: Page, timeout: number): Promise<string> => page.locator('body').innerText({ timeout })

const differs = async (page: Page, expected: ElementOnPage, within_ms: number): Promise<StepFailure> => {
  const text = await textOf(page, 1000).catch(() => '')
  const short = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT)
  return failure({ code: 'page_differs', params: { expected, url: page.url(), text: short || 'nothing', within_ms } })
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
