import { type ControlClient, type ControlClientOptions, createControlClient } from './client.ts'
import { type ServeOptions, serve } from './start.ts'

/** A bench that runs. */
export type Handset = {
  /** What an RP uses. */
  readonly baseUrl: string
  /** What a phone uses. */
  readonly appUrl: string
  readonly controlUrl: string
  readonly token: string
  /** The whole control interface, typed. */
  readonly client: ControlClient
  /** Ends what `startHandset` started; a bench that was connected to stays. */
  close(): Promise<void>
}

/** Uses a bench that runs already. */
export const connectHandset = async ({ controlUrl, token }: ControlClientOptions): Promise<Handset> => {
  const client = createControlClient({ controlUrl, token })
  const { base_url, app_url } = await client.call('bench.info')
  return { baseUrl: base_url, appUrl: app_url, controlUrl, token, client, close: async () => undefined }
}

/** Starts a bench of its own, which ends with this process at the latest. */
export const startHandset = async (options: ServeOptions = {}): Promise<Handset> => {
  const { ready, stop } = await serve(options)
  return { ...(await connectHandset({ controlUrl: ready.control_url, token: ready.token })), close: stop }
}
