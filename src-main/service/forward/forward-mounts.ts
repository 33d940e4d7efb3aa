import type { Mount } from '../../http/message.ts'
import { createUpstream } from '../../http/upstream.ts'
import type { Services } from '../services.ts'
import { forwardAppMount } from './forward-app.ts'
import { forwardRpMount } from './forward-rp.ts'
import { createKnownMessages } from './known-messages.ts'
import { type RecordedExchange, recordedAnswers } from './recorded-answers.ts'

export type Forwarding = { readonly mounts: { readonly rp: Mount; readonly app: Mount }; close(): void }

/** Another service in the place of the one of this process. */
export type ForwardSettings = {
  /** Its base_url and app_url, without a slash at the end. */
  readonly baseUrl?: string
  readonly appUrl?: string
  /** Trusted beside the usual roots, PEM. */
  readonly ca?: string
  readonly patienceMs: number
  /** What these answer is not passed on. */
  readonly recorded?: readonly RecordedExchange[]
  /** Whether an access key was given, by which signatures can be judged. */
  readonly keyed: boolean
}

/** Mounts in the place of the service's own. With an empty prefix the target's paths begin with /rp here, too. */
export const createForwarding = (
  services: Services,
  prefix: string,
  { baseUrl, appUrl, ca, patienceMs, recorded, keyed }: ForwardSettings,
): Forwarding => {
  const targetAt = (address: string | undefined) => {
    if (address === undefined) return undefined
    const url = new URL(address)
    return { upstream: createUpstream({ url, ca, patienceMs }), path: url.pathname.replace(/\/+$/, '') }
  }
  const [rp, app] = [targetAt(baseUrl), targetAt(appUrl)]
  const answers = recorded === undefined ? undefined : recordedAnswers(recorded)
  const forwarding = { services, target: rp, recorded: answers, keyed, messages: createKnownMessages() }
  return {
    mounts: {
      rp: prefix === '' ? forwardRpMount(forwarding, '/rp', '/rp') : forwardRpMount(forwarding, prefix, ''),
      app: forwardAppMount(services, app),
    },
    close: () => {
      rp?.upstream.close()
      app?.upstream.close()
    },
  }
}
