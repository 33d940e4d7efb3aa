import type { BrowserContext, Page, Request, Response } from '@playwright/test'
import type { FaultName } from '../../../../core/contract/faults.ts'
import { firstErrorLine } from '../../../../core/protocol/message-of.ts'
import type { RandomSource } from '../../../../core/protocol/random.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../../../core/protocol/webauthn-json.ts'
import {
  type AttestationAuthority,
  makeRepeatableAuthority,
} from '../../../../phones/authenticator/attestation/attestation-authority.ts'
import { joinSeams } from '../../../../phones/authenticator/faults/fault.ts'
import { FAULTS } from '../../../../phones/authenticator/faults.ts'
import { asPlatformPasskey, getAssertion } from '../../../../phones/authenticator/get-assertion.ts'
import { makeCredential } from '../../../../phones/authenticator/make-credential.ts'
import { type AuthenticatorModel, UNKNOWN_MODEL } from '../../../../phones/authenticator/models.ts'
import type { AuthenticatorRefusal, Credential } from '../../../../phones/authenticator/seams.ts'
import { pause, realNow } from '../../../../sdk/real-time.ts'
import {
  asksToAgree,
  candidatesFor,
  fieldsFor,
  type Goal,
  type Guide,
  NotLearned,
  type PageElement,
  parseSnapshot,
  snapshotOf,
  valueFor,
} from '../../../suite/learn/page-elements.ts'
import type { Ceremony, ObservedCall, Visit } from './describe-call.ts'
import { ASK_BINDING, type CredentialAnswer, type CredentialCall, standInForCredentials } from './page-credentials.ts'
import { findHonestRefusal, type RecognisedServer, recogniseServer, type VisitPair } from './recognise.ts'

export type Learning = Guide & { readonly url: string; readonly random: RandomSource; readonly now: () => number }

/** Registers and signs in a user on an unknown page, repeats both with wrong answers, and describes the calls. */
export const learnServer = async (learning: Learning): Promise<RecognisedServer> => {
  const { url, print, random, now } = learning
  const keys = makeRepeatableAuthority({ random, now: now() })
  let [alice, bob] = [newUser(random), newUser(random)]
  let model = UNKNOWN_MODEL
  const chosen: string[] = []
  const visit = (goal: Goal, user: User, fault?: FaultName): Promise<Visit> => {
    const nameOf = ({ role, name }: PageElement): string => `${goal} ${role} ${name}`
    const choose: Learning['choose'] = async (_, among) => {
      // The second visit repeats the choices of the first one.
      if (fault !== undefined) return among.find((each) => chosen.includes(nameOf(each))) ?? among[0]
      const element = await learning.choose(goal, among)
      if (element !== undefined) chosen.push(nameOf(element))
      return element
    }
    return visitPage({ ...learning, choose }, { goal, user, model, keys, fault })
  }
  const again = async (goal: Goal, user: User): Promise<Visit | undefined> => {
    try {
      return await visit(goal, user, 'challenge-wrong')
    } catch (error) {
      print(`${goal}: a wrong answer could not be tried: ${firstErrorLine(error)}`)
      return undefined
    }
  }
  let honest = await visit('register', alice)
  let refusal = findHonestRefusal(honest)
  if (refusal !== undefined) {
    print(`register: the honest registration was refused: ${refusal}`)
    print('register: trying once more, without an attestation statement')
    alice = newUser(random)
    model = { ...UNKNOWN_MODEL, attestation: 'none' }
    honest = await visit('register', alice)
    refusal = findHonestRefusal(honest)
    if (refusal !== undefined)
      throw new NotLearned(
        `It refuses an honest registration, with a self-signed statement and without one: ${refusal}.`,
      )
  }
  const registration: VisitPair = { honest, wrong: await again('register', bob) }
  const signIn: VisitPair = { honest: await visit('sign_in', alice), wrong: await again('sign_in', alice) }
  return recogniseServer({ page: url, registration, signIn })
}

/** `held`: the passkeys of the user's own authenticator. A site may refuse one that has a passkey of another user. */
type User = Visit['user'] & { readonly held: Credential[] }

const newUser = (random: RandomSource): User => {
  const letters = (count: number): string =>
    [...random.bytes(count)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
  return { name: `learn${letters(8)}`, displayName: `Robin Q${letters(8)}`, held: [] }
}

// --- One browser, one ceremony ---

type Visiting = {
  readonly goal: Goal
  readonly user: User
  readonly model: AuthenticatorModel
  readonly keys: AttestationAuthority
  readonly fault: FaultName | undefined
}

const TIMEOUT = { timeout: 8000 }
const MAX_STEPS = 6
const LOOK_MS = 50
/** A page without any activity for this long counts as ready. */
const QUIET_MS = 400
/** Longest wait for a page that goes on calling its server. */
const CHANGE_MS = 6000

const visitPage = async (learning: Learning, visiting: Visiting): Promise<Visit> => {
  const { url, newWindow, choose } = learning
  const { goal, user } = visiting
  const window = await newWindow()
  const { page } = window
  try {
    const recorder = await watch(page.context())
    const authenticator = await standIn(page.context(), learning, { ...visiting, ...recorder })
    await page.goto(url, { ...TIMEOUT, waitUntil: 'load' })
    await recorder.quiet()
    const pressed: string[] = []
    const futile = new Set<string>()
    for (let step = 0; authenticator.done() === undefined; step++) {
      const before = await snapshotOf(page)
      const screen: Screen = { page, goal, user, elements: elementsIn(before) }
      const among = leadingOn(screen).filter(({ role, name }) => !futile.has(`${role} ${name}`))
      const target = step < MAX_STEPS ? await choose(goal, among) : undefined
      if (target === undefined) {
        // The page has no button for passkeys but offers them in a field: the user chooses one there.
        if (authenticator.offer()) {
          await until(() => authenticator.done() !== undefined)
          if (authenticator.done() !== undefined) break
        }
        throw new NotLearned(notFound(screen, pressed, authenticator.problem()))
      }
      await fillFields(screen, target)
      await placeOf(screen, target).click(TIMEOUT)
      pressed.push(target.name)
      await until(async () => authenticator.done() !== undefined || (await snapshotOf(page)) !== before)
      await recorder.quiet()
      if ((await snapshotOf(page)) === before) futile.add(`${target.role} ${target.name}`)
    }
    const ceremony = authenticator.done()
    if (ceremony === undefined) throw new NotLearned(`The page did not ask for a passkey.`)
    await recorder.quiet()
    return { user, seen: await recorder.complete(), ceremony }
  } finally {
    await window.close()
  }
}

const until = async (isSo: () => boolean | Promise<boolean>, ms = CHANGE_MS / 2): Promise<void> => {
  const end = realNow() + ms
  while (realNow() < end && !(await Promise.resolve(isSo()).catch(() => false))) await pause(LOOK_MS)
}

/** Fields without a name get one, since a page with a single field may have no label. */
const elementsIn = (snapshot: string): readonly PageElement[] =>
  parseSnapshot(snapshot).map((element) =>
    element.role === 'textbox' && element.name === '' ? { ...element, name: 'user name' } : element,
  )

/** The page at one step of the visit. */
type Screen = Pick<Visiting, 'goal' | 'user'> & { readonly page: Page; readonly elements: readonly PageElement[] }

const placeOf = ({ page, elements }: Screen, element: PageElement) => {
  const alike = elements.filter(({ role }) => role === element.role)
  return page.getByRole(element.role as 'button').nth(alike.indexOf(element))
}

/** Elements that lead to the goal, passkeys first. A password would sign in without a passkey. */
const leadingOn = ({ goal, elements }: Screen): readonly PageElement[] => {
  const found = candidatesFor(goal, elements)
  // The page for new users may be behind the one for known users.
  const others = goal === 'register' ? candidatesFor('sign_in', elements).filter(({ role }) => role === 'link') : []
  const ways = found.length > 0 ? found : others
  return ways
    .filter(
      (target) =>
        goal !== 'sign_in' ||
        PASSKEY.test(target.name) ||
        !fieldsFor(target, elements).some(({ name }) => PASSWORD.test(name)),
    )
    .toSorted((a, b) => Number(PASSKEY.test(b.name)) - Number(PASSKEY.test(a.name)))
}

const fillFields = async (screen: Screen, target: PageElement): Promise<void> => {
  const { goal, user, elements } = screen
  for (const field of fieldsFor(target, elements)) {
    const place = placeOf(screen, field)
    if (field.role === 'checkbox') {
      if (asksToAgree(field)) await place.click(TIMEOUT)
    } else if (field.value === '' && !(goal === 'sign_in' && PASSWORD.test(field.name))) {
      await place.fill(textFor(field.name, user), TIMEOUT)
    }
  }
}

const PASSKEY = /passkey|security key|webauthn|fingerprint|face id|touch id|biometric|authenticator|通行密钥/i
const PASSWORD = /password|passphrase|密码/i

const textFor = (label: string, { name, displayName }: User): string => {
  if (/display|full name|real name/i.test(label)) return displayName
  if (PASSWORD.test(label)) return 'Handset-learns-4-U!'
  return valueFor(label).replace('{name}', name)
}

const notFound = (
  { page, goal, elements }: Screen,
  pressed: readonly string[],
  problem: string | undefined,
): string => {
  const names = elements.filter(({ role, name }) => name !== '' && /^(button|link|tab|textbox|checkbox)$/.test(role))
  const list = names.map(({ role, name }) => `${role} "${name}"`).join(', ')
  const after = pressed.length === 0 ? '' : ` after ${pressed.map((name) => `"${name}"`).join(', ')}`
  const what = goal === 'register' ? 'registers a passkey' : 'signs in with a passkey'
  const why = problem === undefined ? '' : ` The page asked for one and got an error: ${problem}.`
  return `Nothing at ${page.url()} ${what}${after}. It has ${list || 'no button, link or field with a name'}.${why}`
}

// --- The requests of the page ---

const watch = async (context: BrowserContext) => {
  type Slot = { readonly request: Request; read: Promise<ObservedCall | undefined> }
  const slots: Slot[] = []
  const pending = new Set<Request>()
  const fetched: Fetches = new Map()
  let changedAt = realNow()
  const firstOf = (request: Request): Request => {
    const before = request.redirectedFrom()
    return before === null ? request : firstOf(before)
  }
  const isOfPage = (request: Request): boolean => /^(document|fetch|xhr)$/.test(request.resourceType())

  context.on('request', (request) => {
    changedAt = realNow()
    if (!isOfPage(request)) return
    pending.add(firstOf(request))
    if (request.redirectedFrom() === null) slots.push({ request, read: Promise.resolve(undefined) })
  })
  context.on('requestfailed', (request) => void pending.delete(firstOf(request)))
  context.on('response', (response) => {
    const first = firstOf(response.request())
    const slot = slots.find(({ request }) => request === first)
    if (slot === undefined) return
    slot.read = seenIn(first, response, fetched).catch(() => undefined)
    void slot.read.then(() => {
      if (!isRedirect(response)) pending.delete(first)
      changedAt = realNow()
    })
  })
  // The browser drops the answers of a page that it leaves, so the next page waits until they are read.
  await context.route('**/*', async (route) => {
    const request = route.request()
    if (request.isNavigationRequest()) await until(() => [...pending].every((each) => each === request))
    // The page may be closed by now.
    const goOn = (): Promise<void> => route.continue().catch(() => undefined)
    // The browser drops fetched answers as soon as the page begins to leave. A stream never ends.
    const isFetched = /^(fetch|xhr)$/.test(request.resourceType())
    if (!isFetched || request.headers().accept === 'text/event-stream') return goOn()
    try {
      const response = await route.fetch(TIMEOUT)
      fetched.set(request, { text: await response.text(), headers: response.headersArray() })
      await route.fulfill({ response })
    } catch {
      await goOn()
    }
  })
  return {
    /** Number of requests that have begun. */
    begun: () => slots.length,
    /** Resolves when no answer is being read. */
    read: () => until(() => pending.size === 0),
    quiet: (): Promise<void> => {
      changedAt = realNow()
      return until(() => pending.size === 0 && realNow() >= changedAt + QUIET_MS, CHANGE_MS)
    },
    /** Includes requests without an answer, so that the numbers of the others stay right. */
    complete: (): Promise<readonly ObservedCall[]> =>
      Promise.all(
        slots.map(
          async ({ request, read }) =>
            // A stream's answer may never end.
            (await Promise.race([read, pause(CHANGE_MS).then(() => undefined)])) ?? {
              ...{ method: request.method(), url: request.url(), headers: {} },
              answer: { status: 0, address: request.url(), headers: [], cookies: {}, text: '' },
            },
        ),
      ),
  }
}

const isRedirect = (response: Response): boolean => response.status() >= 300 && response.status() < 400

type Header = { readonly name: string; readonly value: string }
type Fetches = Map<Request, { readonly text: string; readonly headers: readonly Header[] }>

const seenIn = async (first: Request, response: Response, fetched: Fetches): Promise<ObservedCall> => {
  const own = fetched.get(first)
  const cookies: Record<string, string> = {}
  for (let request: Request | null = response.request(); request !== null; request = request.redirectedFrom()) {
    for (const { name, value } of own?.headers ?? (await (await request.response())?.headersArray()) ?? []) {
      const [, cookie = '', content = ''] = /^([^=;]+)=([^;]*)/.exec(value) ?? []
      if (name.toLowerCase() === 'set-cookie' && !(cookie in cookies)) cookies[cookie] = content
    }
  }
  const body = first.postData()
  const headers = await response.headersArray()
  return {
    ...{ method: first.method(), url: first.url(), headers: await first.allHeaders() },
    ...(body === null ? {} : { body }),
    answer: {
      ...{ status: response.status(), address: response.url(), cookies },
      headers: headers.map(({ name, value }) => [name.toLowerCase(), value] as const),
      text: isRedirect(response) ? '' : (own?.text ?? (await response.text().catch(() => ''))),
    },
  }
}

// --- The authenticator behind the page ---

type Standing = Visiting & { readonly begun: () => number; readonly read: () => Promise<void> }

const standIn = async (
  context: BrowserContext,
  { random, now }: Learning,
  { goal, user: { held }, model, keys, fault, begun, read }: Standing,
) => {
  const kind: CredentialCall['kind'] = goal === 'register' ? 'create' : 'get'
  let ceremony: Ceremony | undefined
  let problem: string | undefined
  /** Resolves the open page's request for a passkey in a field; a new page clears it. */
  let waiting: (() => void) | undefined
  context.on('request', (request) => {
    if (request.isNavigationRequest()) waiting = undefined
  })
  const ports = { random, now, attestationKeys: keys }
  const seams = joinSeams(fault === undefined ? [] : [FAULTS[fault]])
  const make = (asked: CredentialCall) => {
    const { origin, crossOrigin, options } = asked
    const { rp, rpId, user, ...rest } = options
    const host = new URL(origin).hostname
    const common = { origin, crossOrigin, userVerified: true, seams }
    if (asked.kind === 'get') {
      const whole = { ...rest, rpId: rpId ?? host } as unknown as RequestOptionsJson
      const credentials = { forRp: () => held.map((each) => asPlatformPasskey(each, whole)) }
      return getAssertion({ ...common, options: whole, credentials }, ports)
    }
    const whole = { ...rest, user, rp: { id: host, ...(rp as object) } } as unknown as CreationOptionsJson
    return makeCredential(
      { ...common, options: whole, model, storage: model.storage, existing: { forRp: () => [...held] } },
      ports,
    )
  }

  await context.exposeBinding(ASK_BINDING, async (_, asked: CredentialCall): Promise<CredentialAnswer> => {
    if (asked.mediation === 'conditional') await new Promise<void>((resolve) => (waiting = resolve))
    const at = begun()
    // Reads first: a page that leaves as soon as it has its passkey would drop the answer with its options.
    await read()
    const made = await make(asked)
    if (!made.ok) {
      problem = `${made.error.code} (${made.error.got})`
      return { refused: { name: refusalName(made.error), message: `the authenticator refuses: ${problem}` } }
    }
    const { response, credential } = made.value
    if (fault === undefined) {
      const other = held.findIndex(({ id }) => id === credential.id)
      held.splice(other < 0 ? held.length : other, 1, credential)
    }
    // A page for registrations may also offer a sign-in in a field.
    if (asked.kind === kind) ceremony ??= { at, challenge: String(asked.options.challenge), response }
    return { response }
  })
  await context.addInitScript(standInForCredentials)
  return {
    done: (): Ceremony | undefined => ceremony,
    problem: (): string | undefined => problem,
    /** Takes a passkey that the page offers in a field; false if it offers none. */
    offer: (): boolean => {
      if (goal === 'sign_in') waiting?.()
      return goal === 'sign_in' && waiting !== undefined
    },
  }
}

/** WebAuthn §5.1.3 and §5.1.4: the name of the error that rejects the page's promise. */
const refusalName = ({ code }: AuthenticatorRefusal): string => {
  if (code === 'credential_excluded') return 'InvalidStateError'
  if (code === 'rp_id_not_for_origin') return 'SecurityError'
  if (code === 'no_supported_algorithm') return 'NotSupportedError'
  return 'NotAllowedError'
}
