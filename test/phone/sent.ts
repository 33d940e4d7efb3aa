import type { RealBench } from '../support/phone-real-bench.ts'

/** One request of a phone about a message, as the service got it. The port and the token differ from run to run. */
export type Sent = {
  readonly path: string
  readonly device: string | undefined
  readonly type: string | undefined
  readonly body: string
}

/** What phones have asked of the service since this event, in the order in which it answered. */
export const sentSince = (bench: RealBench, seq: number): readonly Sent[] =>
  bench.running
    .events('exchange')
    .filter((event) => event.seq > seq && event.request.target.startsWith('/app/messages/'))
    .map(({ request, device_id }) => ({
      path: request.target,
      device: device_id,
      type: request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1],
      body: request.body,
    }))

export const isAnswer = ({ path }: Sent): boolean => /\/(attestation|assertion)$/.test(path)

export const answersAmong = (all: readonly Sent[]): readonly Sent[] => all.filter(isAnswer)

export const answerAmong = (all: readonly Sent[]): Sent => {
  const [answer] = answersAmong(all)
  if (answer === undefined) throw new Error(`no answer among ${all.map(({ path }) => path)}`)
  return answer
}
