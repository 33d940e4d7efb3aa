import type { BenchEvent } from '../../../src-main/contract/events.ts'
import type { ControlClient } from '../../../src-main/sdk/client.ts'
import { createRpClient, type RpClient } from '../../../src-main/sdk/rp.ts'
import { test as base } from './bench.ts'
import { type AuthenticatorKind, addAuthenticator, type VirtualAuthenticator } from './devtools-authenticator.ts'
import { servePage } from './devtools-page.ts'
import { type WebPhone, webPhone } from './devtools-phone.ts'

export { expect } from './bench.ts'

export type Shop = { readonly id: string; readonly client: RpClient }

type Fixtures = {
  readonly appUrl: string
  readonly baseUrl: string
  /** An origin that is served on this machine. */
  readonly origin: string
  /** An RP of RP ID localhost with that origin alone, and a client that signs with its key. */
  readonly openShop: () => Promise<Shop>
  /** Goes to the origin and makes a phone of the page. */
  readonly openPhone: () => Promise<WebPhone>
  /** A shop at the origin, and a phone there with such an authenticator that has signed in. */
  readonly openBoth: (kind: AuthenticatorKind) => Promise<Both>
}

type Both = {
  readonly shop: Shop
  readonly authenticator: VirtualAuthenticator
  readonly phone: WebPhone
}

const ACCOUNT = { name: 'Alice', phone: '13812345678' }

/** Every workspace has its interfaces side by side. */
const besideControl = ({ controlUrl }: ControlClient, path: string): string =>
  controlUrl.replace(/\/control\/v1$/, path)

/** What the service recorded, which no page can paint over. */
export const eventsOf = async (control: ControlClient): Promise<readonly BenchEvent[]> =>
  (await control.call('events.list')).events as readonly BenchEvent[]

export const test = base.extend<Fixtures>({
  appUrl: ({ bench }, use) => use(besideControl(bench.control, '/app')),
  baseUrl: ({ bench }, use) => use(besideControl(bench.control, '/fido')),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  origin: async ({}, use) => {
    const { origin, close } = await servePage()
    await use(origin)
    await close()
  },
  openShop: async ({ bench, baseUrl, origin }, use) => {
    const clients: RpClient[] = []
    await use(async () => {
      const { control } = bench
      const shop = { name: 'The shop', rp_id: 'localhost', origins: [origin] }
      const { id } = await control.call('rps.create', { body: shop })
      const { key, secret } = await control.call('keys.create', { params: { rp: id }, body: {} })
      const client = createRpClient({ baseUrl, accessKeyId: key.id, secretKey: secret, now: Date.now })
      clients.push(client)
      return { id, client }
    })
    for (const client of clients) client.close()
  },
  openPhone: async ({ page, appUrl, origin }, use) => {
    await use(async () => {
      await page.goto(origin)
      const phone = await page.evaluateHandle(webPhone, appUrl)
      // These are acts: what each comes to does not change afterwards.
      const act = phone.evaluate.bind(phone)
      return {
        signIn: (account) => act((it, given) => it.signIn(given), account),
        answer: (msgId) => act((it, id) => it.answer(id), msgId),
        openInbox: () => act((it) => it.openInbox()),
        nextPush: () => act((it) => it.nextPush()),
      }
    })
  },
  openBoth: async ({ page, openShop, openPhone }, use) => {
    await use(async (kind) => {
      const shop = await openShop()
      const authenticator = await addAuthenticator(page, kind)
      const phone = await openPhone()
      const signedIn = await phone.signIn(ACCOUNT)
      if (signedIn.code !== 0) throw new Error(JSON.stringify(signedIn))
      return { shop, authenticator, phone }
    })
  },
})
