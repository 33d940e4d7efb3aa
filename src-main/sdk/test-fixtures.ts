import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { PHONE_NAME_MAX } from '../core/contract/app/fields.ts'
import { REPORT_FAILURE_MAX } from '../core/contract/control/event-routes.ts'
import { NAME_MAX } from '../core/contract/schema.ts'
import { sdkError } from './errors.ts'
import { connectHandset, type Handset, type StartOptions, startHandset } from './handset.ts'
import { openLease } from './lease.ts'
import type { Phone } from './phone.ts'
import type { PhoneOptions, Workspace, WorkspaceService } from './workspace.ts'

/** `shared`: the bench's workspace, where each test uses its own phones and users; `own`: a new one for each test. */
export type Isolation = 'shared' | 'own'

/** Fixtures of a worker. */
export type BenchFixtures = {
  /** How a bench is started; ignored if HANDSET_CONTROL_URL names one. */
  readonly handsetOptions: StartOptions
  /** The bench: one for each worker. */
  readonly handset: Handset
}

/** Fixtures that give a test its part of a bench. */
export type ScratchFixtures = {
  /** `shared` by default. */
  readonly handsetIsolation: Isolation
  readonly phoneOptions: PhoneOptions
  readonly handsetScratch: Scratch
  /** The workspace of this test; phones that the test makes there are removed after it. */
  readonly workspace: Workspace
  /** A phone of this test alone. */
  readonly phone: Phone
  /** The service, for faults: those armed by the test are disarmed when it ends. */
  readonly service: WorkspaceService
}

type Use<T> = (value: T) => Promise<void>

/** The fixture `handset`; like those below, it names what it needs in its first parameter, where runners look. */
export const handsetFixture = async (
  { handsetOptions }: Omit<BenchFixtures, 'handset'>,
  use: Use<Handset>,
): Promise<void> => {
  const handset = await benchForTests(process.env, handsetOptions)
  await use(handset)
  await handset.close()
}

/** The fixtures of a test that need nothing of its runner. */
export const phoneFixtures = {
  service: ({ workspace }: Omit<ScratchFixtures, 'service'>, use: Use<WorkspaceService>) => use(workspace.service),
  phone: async ({ handsetScratch, phoneOptions, workspace }: Omit<ScratchFixtures, 'phone'>, use: Use<Phone>) =>
    use(await workspace.phone({ name: handsetScratch.phoneName, ...phoneOptions })),
}

/** `testName`: the last part of the title. */
type Test = { readonly isolation: Isolation; readonly title: string; readonly testName?: string }

/** A test's workspace, with its reports and its removal. */
export type Scratch = Awaited<ReturnType<typeof openScratch>>

/** The events as self-contained HTML, as Markdown for programs and as a trace; and the failures as lines. */
export type TestReport = Awaited<ReturnType<Scratch['reports']>>[number]

export const openScratch = async (handset: Handset, { isolation, title, testName = title }: Test) => {
  const name = plainName(title, NAME_MAX)
  const shared = isolation === 'own' ? undefined : await handset.lease({ name })
  const lease = shared ?? (await openLease(handset.client.workspace('main'), { name }))
  const whole = shared ?? (await handset.workspace({ lease: lease.id }))
  const after = await whole.lastSeq()
  const phones: Phone[] = []
  const phone: Workspace['phone'] = async (options) => {
    const made = await whole.phone(options)
    phones.push(made)
    return made
  }
  /**
   * Reports on each of the test's phones, or on the workspace if the test has its own or made no phone. `failure`: the
   * test's message, shown at the top.
   */
  const reports = async ({ failure }: { readonly failure: string }) => {
    const about = isolation === 'own' || phones.length === 0 ? [{}] : phones.map(({ id }) => ({ phone_id: id }))
    // Without terminal colors, and short enough for an address.
    const plain = stripVTControlCharacters(failure).toWellFormed().trim()
    const cause = [...plain].slice(0, REPORT_FAILURE_MAX).join('')
    const queries = about.map((one) => ({ ...one, after, title: name }))
    return Promise.all(
      queries.map(async (query) => {
        const details = { ...query, ...(cause === '' ? {} : { failure: cause }) }
        const { html, lines } = await whole.client.call('events.report', { query: details })
        const { markdown } = await whole.client.call('events.agent-report', { query: details })
        const { handset } = await whole.client.call('events.trace', { query })
        return { html, markdown, trace: Buffer.from(handset, 'base64'), lines }
      }),
    )
  }
  const workspace: Workspace = { ...whole, phone }
  return {
    workspace,
    /** The name of the test's own phone. */
    phoneName: plainName(testName, PHONE_NAME_MAX),
    reports,
    /** Removes the test's objects, or its own workspace. Otherwise the bench does so soon after this process ends. */
    remove: lease.end,
  }
}

/** A test runner's error: reporters print its message or its stack. */
type TestError = { message?: string | undefined; stack?: string | undefined }

const MAX_LINES = 8

/** Adds the failures and the reports' paths after the error's message and before its stack. */
export const explainError = (
  error: TestError | undefined,
  reports: readonly TestReport[],
  pages: readonly string[],
): void => {
  if (error === undefined) return
  // Reports of an older bench have no lines.
  const lines = [...new Set(reports.flatMap((each) => each.lines ?? []))].slice(-MAX_LINES)
  const parts = [
    ...(lines.length === 0 ? [] : ['handset: what went wrong', ...lines.map((line) => `  ${line}`)]),
    `handset: what happened is in ${pages.join(' and ')}`,
  ].join('\n')
  const { message = '', stack } = error
  error.message = `${message}\n\n${parts}`
  if (stack === undefined) return
  const end = message !== '' && stack.includes(message) ? stack.indexOf(message) + message.length : stack.length
  error.stack = `${stack.slice(0, end)}\n\n${parts}${stack.slice(end)}`
}

/** Removes characters that no name may have: control characters, line breaks, halves of surrogate pairs. */
const plainName = (title: string, max: number): string =>
  [...title.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ').trim()].slice(0, max).join('') || 'A test'

type Variables = Readonly<Record<string, string | undefined>>

/** The bench named by HANDSET_CONTROL_URL, HANDSET_TOKEN and, for https, HANDSET_CA; else a new one. */
export const benchForTests = async (env: Variables, options: StartOptions = {}): Promise<Handset> => {
  // An empty variable counts as not set, as for the command line.
  const controlUrl = env.HANDSET_CONTROL_URL || undefined
  if (controlUrl === undefined) return startHandset(options)
  return connectHandset({ controlUrl, token: tokenIn(env), ca: inFile(env, 'HANDSET_CA') })
}

const tokenIn = (env: Variables): string => {
  const token = inFile(env, 'HANDSET_TOKEN_FILE')?.replace(/\r?\n$/, '') ?? env.HANDSET_TOKEN
  if (token) return token
  const wanted = 'give its token in HANDSET_TOKEN or HANDSET_TOKEN_FILE.'
  throw sdkError('no_token', `HANDSET_CONTROL_URL names a bench: ${wanted}`)
}

const inFile = (env: Variables, name: string): string | undefined => {
  const path = env[name] || undefined
  if (path === undefined) return undefined
  const refuse = (why: string) => sdkError('unreadable_file', `${name}: ${why}`)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (reason) {
    const { code, message } = reason as NodeJS.ErrnoException
    throw refuse(code === 'ENOENT' ? `there is no file ${path}.` : `${path} cannot be read: ${message}.`)
  }
  if (text.trim() === '') throw refuse(`${path} is empty.`)
  return text
}
