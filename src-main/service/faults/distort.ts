import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import type { RawResponse } from '../../http/message.ts'
import type { About, Works } from './works.ts'

export type Struck = readonly (readonly [works: Works, about: About])[]

/** From the facts to the octets: each stage of every fault, before the next stage of any. */
export const distort = (honest: RawResponse, struck: Struck): RawResponse => {
  const whole: JsonObject = JSON.parse(String(honest.body))
  const lied = struck.some(([{ facts }]) => facts !== undefined)
  const data = struck.reduce<unknown>(
    (told, [{ facts }, about]) => (facts === undefined ? told : facts(isObject(told) ? told : {}, about)),
    whole.data,
  )
  // What was refused is answered as a success.
  const envelope = struck.reduce<unknown>(
    (told, [works, about]) => (works.envelope === undefined || !isObject(told) ? told : works.envelope(told, about)),
    lied ? { code: 0, data, error: '' } : whole,
  )
  const changed = lied || struck.some(([works]) => works.envelope !== undefined)
  const body = struck.reduce<string | Uint8Array>(
    (written, [{ text }, about]) =>
      text === undefined || typeof written !== 'string' ? written : text(written, about),
    changed ? JSON.stringify(envelope) : honest.body,
  )
  let answer: RawResponse = { ...honest, ...(lied ? { status: 200 } : {}), body }
  for (const [{ head }, about] of struck) if (head !== undefined) answer = { ...answer, ...head(answer, about) }
  for (const [{ wire }, about] of struck) if (wire !== undefined) answer = wire(answer, about)
  return answer
}
