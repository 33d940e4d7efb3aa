import type { BenchEvent } from '../../src-main/contract/events.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import type { Message, Timeline } from '../../src-main/timeline/timeline.ts'
import type { Player } from './chapters.ts'

export type Figures = {
  readonly passkeys: number
  readonly codes: number
  readonly signIns: number
  /** Milliseconds that the service took to judge a signature, in the middle of all; undefined without one. */
  readonly speed: number | undefined
  readonly secrets: number
  readonly tries: number
  readonly stolen: number
}

const STRANGERS: readonly string[] = ['thief', 'finder'] satisfies Player[]

/** What happened before the audience. What the stage was set with is not counted. */
export const figuresOf = ({ groups }: Timeline, secrets: number): Figures => {
  const all = groups.latest(MOST).filter(({ message }) => isTold(message))
  const told = all.flatMap(({ message }) => message ?? [])
  const strangers = told.filter(({ askedBy = '' }) => STRANGERS.includes(askedBy))
  const good = told.filter(({ state, askedBy = '' }) => state === 'success' && !STRANGERS.includes(askedBy))
  const judged = all
    .filter(({ message }) => message?.ceremony === 'authentication' && message.state === 'success')
    .flatMap(({ rows }) => rows.latest(MOST).filter(({ route }) => route.endsWith('/assertion')))
    .flatMap(({ tookUs }) => (tookUs === undefined ? [] : [tookUs / 1000]))
    .sort((a, b) => a - b)
  const speed = judged[Math.floor(judged.length / 2)]
  return {
    passkeys: good.filter(({ ceremony }) => ceremony === 'registration').length,
    codes: told.filter(({ method }) => method !== 'push').length,
    signIns: good.filter(({ ceremony }) => ceremony === 'authentication').length,
    speed: speed === undefined ? undefined : Math.max(1, Math.round(speed)),
    secrets,
    tries: strangers.length,
    stolen: strangers.filter(({ state }) => state === 'success').length,
  }
}

const MOST = 1000

const isTold = (message: Message | undefined): boolean => message?.askedBy !== undefined && message.askedBy !== 'stage'

/** In whose body a password or a private key was sent, of all that the service recorded. */
export const countSecrets = async (demo: ControlClient): Promise<number> => {
  let count = 0
  let after = 0
  for (;;) {
    const page = await demo.call('events.list', { query: { kind: 'exchange', after } })
    count += page.events.reduce((sum, event) => sum + secretsIn(event), 0)
    const last = page.events.at(-1)
    if (!page.more || last === undefined) return count
    after = last.seq
  }
}

const SECRET = /"[^"]*(?:passw|passcode|passphrase|private_?key)[^"]*"\s*:/gi

export const secretsIn = (event: BenchEvent): number =>
  event.kind === 'exchange' ? (textOf(event.request.body).match(SECRET)?.length ?? 0) : 0

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? ''))
