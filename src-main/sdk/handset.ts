import { readFileSync } from 'node:fs'
import { checkVersion } from './check-version.ts'
import { type Body, type ControlClient, createControlClient } from './client.ts'
import { explainingFetch } from './explaining-fetch.ts'
import { fetchAside, fetchTrusting } from './fetch-trusting.ts'
import { type Ready, type ServeOptions, serve } from './start.ts'
import { type Workspace, workspaceOf } from './workspace.ts'

/** A bench that runs, and its workspace `main` or the one that was connected to. */
export type Handset = Workspace & {
  /** A new workspace, apart from all others. */
  workspace(options?: Body<'workspaces.create'>): Promise<Workspace>
  /** An address that opens the page once. */
  pageUrl(): Promise<string>
  /** Ends what `startHandset` started; a bench that was connected to stays. Leases are no longer held. */
  close(): Promise<void>
}

export type StartOptions = ServeOptions & {
  /** Settings of the profile that differ from the defaults. */
  readonly profile?: Body<'profile.patch'>
}

export type ConnectOptions = {
  readonly controlUrl: string
  readonly token: string
  /** PEM of the certificates to trust instead of the system's, where the bench speaks https. */
  readonly ca?: string | undefined
  /** How long an answer of the control interface may take; 60 s by default. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 60_000

/** Uses a bench that runs already. */
export const connectHandset = async (options: ConnectOptions): Promise<Handset> =>
  connect(options, async () => undefined)

/** Starts a bench of its own, which ends with this process at the latest. */
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

/** Who starts a bench with a certificate trusts that. */
const caOf = ({ ca }: Ready, { tls }: ServeOptions): string | undefined =>
  typeof tls === 'object' ? readFileSync(tls.cert, 'utf8') : (ca ?? undefined)

const connect = async (options: ConnectOptions, stop: () => Promise<void>): Promise<Handset> => {
  const { controlUrl, token, ca, timeoutMs = TIMEOUT_MS } = options
  const reach = explainingFetch(controlUrl, ca === undefined ? fetch : fetchTrusting(ca))
  const closed = new AbortController()
  const close = (): Promise<void> => {
    closed.abort()
    return stop()
  }
  const held = { fetchAside: fetchAside(ca), closed: closed.signal }
  const client = createControlClient({ controlUrl, token, timeoutMs, fetch: reach, ...held })
  const main = client.workspace('main')
  await checkVersion(controlUrl, main.call('bench.info'))
  const { workspace: id, addresses } = await client.call('overview')
  const about = { id, token, ca, baseUrl: addresses.base_url, appUrl: addresses.app_url }
  return {
    ...workspaceOf(client, about, close),
    workspace: (body = {}) => openWorkspace(main, { token, ca }, body),
    pageUrl: async () => (await main.call('session.invite', { body: { workspace: id } })).url,
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
