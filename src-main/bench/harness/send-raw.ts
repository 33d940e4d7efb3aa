import { Buffer } from 'node:buffer'
import { type Agent, type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps, type Agent as TlsAgent } from 'node:https'
import { clearTimeout, setTimeout } from 'node:timers'
import type { RpClientProblem } from '../../core/contract/errors.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'

export type RawCall = {
  readonly method: string
  readonly target: string
  /** Values have one character for each octet. */
  readonly headers: readonly HeaderPair[]
  readonly body: Uint8Array
}

export type RawAnswer = { readonly status: number; readonly body: string }

type Where = {
  readonly url: URL
  readonly agent: Agent | TlsAgent
  readonly patienceMs: number
  readonly mostBytes: number
}

/** One request as it stands, with nothing added but the length of its body. The URL alone says where it goes. */
export const sendRaw = (
  { method, target, headers, body }: RawCall,
  { url, agent, patienceMs, mostBytes }: Where,
): Promise<Result<RawAnswer, RpClientProblem>> =>
  new Promise((resolve) => {
    const { host } = url
    const secure = url.protocol === 'https:'
    let asked: ClientRequest | undefined
    const settle = (result: Result<RawAnswer, RpClientProblem>): void => {
      clearTimeout(tooLate)
      resolve(result)
      if (!result.ok) asked?.destroy()
    }
    const failed = ({ message }: Error): void => settle(err({ code: 'not_answered', params: { host, why: message } }))
    const tooLate = setTimeout(() => settle(err({ code: 'answer_late', params: { host, ms: patienceMs } })), patienceMs)
    asked = (secure ? requestHttps : requestHttp)({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 443 : 80) : url.port,
      agent,
      method,
      path: target,
      headers: [...headers.flat(), ...(body.length === 0 ? [] : ['Content-Length', String(body.length)])],
      setHost: false,
    })
    asked.on('error', failed)
    asked.on('response', (response) => {
      const parts: Buffer[] = []
      let size = 0
      response.on('data', (part: Buffer) => {
        size += part.length
        if (size > mostBytes) settle(err({ code: 'answer_too_large', params: { host, bytes: mostBytes } }))
        else parts.push(part)
      })
      response.on('error', failed)
      response.on('end', () => {
        settle(ok({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }))
      })
    })
    asked.end(body.length === 0 ? undefined : body)
  })
