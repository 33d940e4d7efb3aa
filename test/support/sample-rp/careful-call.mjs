// @ts-nocheck An RP as somebody else would write it: plain JavaScript.
import { request } from 'node:http'
import { signedHeaders } from './sign.mjs'

const MOST_BYTES = 64 * 1024

/** One answer, or nothing: in time, not too large, and no redirect followed. */
const exchange = ({ base, method, target, headers, body, timeoutMs }) =>
  new Promise((resolve) => {
    const options = { host: base.hostname, port: base.port, method, path: target, headers, agent: false }
    const sent = request(options, (response) => {
      const parts = []
      let size = 0
      response.on('data', (part) => {
        parts.push(part)
        size += part.length
        if (size > MOST_BYTES) give()
      })
      response.on('end', () => give(response.complete ? { response, bytes: Buffer.concat(parts) } : undefined))
      response.on('error', () => give())
    })
    const timer = setTimeout(() => give(), timeoutMs)
    const give = (answer) => {
      clearTimeout(timer)
      resolve(answer)
      sent.destroy()
    }
    sent.on('error', () => give())
    sent.on('close', () => give())
    sent.end(body)
  })

/** JSON in UTF-8 whose objects have no member twice; undefined for anything else. */
const parseStrictly = (bytes) => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    let members = 0
    const value = JSON.parse(text, (_, each) => {
      if (typeof each === 'object' && each !== null && !Array.isArray(each)) members += Object.keys(each).length
      return each
    })
    const written = text.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g) ?? []
    return written.filter((each) => each.endsWith(':')).length === members ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** {data}: a success. {refused}: the code. {}: nothing that can be believed; later it may be. */
export const callService = ({ baseUrl, accessKeyId, secretKey, timeoutMs, hears = () => undefined, follows }) => {
  const base = new URL(baseUrl)
  return async (method, path, input) => {
    const target = base.pathname + path
    const body = input === undefined ? '' : JSON.stringify(input)
    const now = Date.now()
    const headers = signedHeaders({ method, host: base.host, target, body, accessKeyId, secretKey, now })
    let answer = await exchange({ base, method, target, headers, body, timeoutMs })
    const to = answer?.response.headers.location
    if (to !== undefined && follows !== undefined) {
      const { Authorization: _, ...unsigned } = headers
      const { pathname, search } = new URL(to, base)
      const around = { base: new URL(to, base), target: pathname + search, headers: follows === 'signed' ? headers : unsigned }
      answer = await exchange({ method, body, timeoutMs, ...around })
      if (follows === 'unread') return {}
    }
    if (answer === undefined) return {}
    const { statusCode, headers: got } = answer.response
    const type = (got['content-type'] ?? '').split(';')[0].trim().toLowerCase()
    hears(type)
    const envelope = type === 'application/json' ? parseStrictly(answer.bytes) : undefined
    if (!isObject(envelope) || !Number.isInteger(envelope.code)) return {}
    if (statusCode === 429) return { retryAfterMs: Number(got['retry-after']) * 1000 || undefined }
    if (envelope.code !== 0) return { refused: envelope.code }
    return statusCode === 200 && isObject(envelope.data) ? { data: envelope.data } : {}
  }
}
