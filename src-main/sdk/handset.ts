import { readFileSync } from 'node:fs'
import { routes } from '../core/contract/control/routes.ts'
import { isObject } from '../core/protocol/json.ts'
import { type Body, type ControlClient, ControlError, createControlClient, type Data } from './client.ts'
import { type HandsetError, sdkError } from './errors.ts'
import { createFetchAside, createTrustingFetch } from './fetch-trusting.ts'
import { type Ready, type ServeOptions, serve } from './start.ts'
import { type Workspace, workspaceOf } from './workspace.ts'

/** A running bench, and its workspace: `main` or the one connected to. */
export type Handset = Readonly<Awaited<ReturnType<typeof connect>>>

export type StartOptions = ServeOptions & {
  /** Settings of the profile that differ from the defaults. */
  readonly profile?: Body<'profile.patch'>
}

export type ConnectOptions = {
  readonly controlUrl: string
  readonly token: string
  /** PEM of the certificates to trust instead of the system's, if the bench uses https. */
  readonly ca?: string | undefined
  /** Timeout of an answer of the control interface; 60 s by default. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 60_000

/** Connects to a running bench. */
export const connectHandset = async (options: ConnectOptions): Promise<Handset> =>
  connect(options, async () => undefined)

/** Starts a new bench, which ends with this process at the latest. */
export const startHandset = async ({ profile, ...options }: StartOptions = {}): Promise<Handset> => {
  const { ready, stop } = await serve(options)
  try {
    const handset = await connect({ controlUrl: ready.control_url, token: ready.token, ca: caOf(ready, options) }, stop)
    if (profile !== undefined) await handset.profile.set(profile)
    return handset
  } catch (error) {
    await stop()
    throw error
  }
}

const caOf = ({ ca }: Ready, { tls }: ServeOptions): string | undefined =>
  typeof tls === 'object' ? readFileSync(tls.cert, 'utf8') : (ca ?? undefined)

const connect = async (options: ConnectOptions, stop: () => Promise<void>) => {
  const { controlUrl, token, ca, timeoutMs = TIMEOUT_MS } = options
  const reach = explainingFetch(controlUrl, ca === undefined ? fetch : createTrustingFetch(ca))
  const closed = new AbortController()
  const close = (): Promise<void> => {
    closed.abort()
    return stop()
  }
  const held = { fetchAside: createFetchAside(ca), closed: closed.signal }
  const client = createControlClient({ controlUrl, token, timeoutMs, fetch: reach, ...held })
  const main = client.workspace('main')
  await checkVersion(controlUrl, main.call('bench.info'))
  const { workspace: id, addresses } = await client.call('overview')
  const about = { id, token, ca, baseUrl: addresses.base_url, appUrl: addresses.app_url }
  return {
    ...workspaceOf(client, about, close),
    /** Creates a workspace that is isolated from all others. */
    workspace: (wanted: Body<'workspaces.create'> = {}): Promise<Workspace> =>
      openWorkspace(main, { token, ca }, wanted),
    /** An address that opens the page once. */
    pageUrl: async (): Promise<string> => (await main.call('session.invite', { body: { workspace: id } })).url,
    /** Ends all leases and a bench started by `startHandset`; a bench connected to keeps running. */
    close,
  }
}

const openWorkspace = async (
  main: ControlClient,
  { token, ca }: Pick<ConnectOptions, 'token' | 'ca'>,
  body: Body<'workspaces.create'>,
): Promise<Workspace> => {
  const { id, base_url, app_url } = await main.call('workspaces.create', { body })
  const client = main.workspace(id)
  const close = async (): Promise<void> => void (await main.call('workspaces.close', { params: { id } }))
  return workspaceOf(client, { id, token, ca, baseUrl: base_url, appUrl: app_url }, close)
}

const VERSION: number = routes['bench.info'].data.properties.control_version.const

/** Throws if the server is not a bench, or has another version of the control interface. */
const checkVersion = async (controlUrl: string, info: Promise<Data<'bench.info'>>): Promise<void> => {
  const answer: unknown = await info.catch((error: unknown) => {
    throw error instanceof ControlError && error.code === 0 ? noBench(controlUrl, error.message) : error
  })
  if (!isObject(answer) || !Number.isInteger(answer.control_version)) {
    throw noBench(controlUrl, 'it does not say which version of the control interface it speaks.')
  }
  if (answer.control_version === VERSION) return
  throw sdkError(
    'version_mismatch',
    `This package speaks version ${VERSION} of the control interface; the bench (Handset ${answer.version}) speaks version ${answer.control_version}.`,
  )
}

const noBench = (controlUrl: string, why: string): HandsetError =>
  sdkError(
    'no_bench',
    `What answers at ${controlUrl} is no bench: ${why} Give the control_url that "handset serve" prints.`,
  )

const explainingFetch =
  (controlUrl: string, request: typeof fetch): typeof fetch =>
  async (input, init) => {
    const explained = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        // Aborts and timeouts stay as they are.
        if (!(error instanceof Error) || error.name === 'AbortError' || error.name === 'TimeoutError') throw error
        const cause = error.cause instanceof Error ? error.cause.message : error.message
        const advice = 'Start one with "handset serve", or check the address.'
        throw sdkError('unreachable', `No bench answers at ${controlUrl}: ${cause}. ${advice}`)
      })
    const answer = await explained(request(input, init))
    // An answer may also fail while it is read.
    const text = answer.text.bind(answer)
    return Object.defineProperty(answer, 'text', { value: () => explained(text()) })
  }
