import { err, ok, type Result } from './result.ts'

export type MessageKind = 'registration' | 'authentication'

/** The one character before the message id, which clients remove. */
const KIND_MARK = { registration: 'r', authentication: 'a' } as const satisfies Record<MessageKind, string>

const MESSAGE_ID = /^[A-Za-z0-9_-]{22}$/

export type MessageAddress = {
  /** `{base_url}`, with the workspace's path where there is one. */
  readonly baseUrl: string
  readonly kind: MessageKind
  readonly msgId: string
}

export const encodeMessageAddress = ({ baseUrl, kind, msgId }: MessageAddress): string =>
  `${baseUrl}/m#${KIND_MARK[kind]}${msgId}`

export const parseMessageAddress = (text: string): Result<MessageAddress, 'not_ours'> => {
  const hash = text.indexOf('#')
  if (hash < 0 || !/^https?:\/\//.test(text)) return err('not_ours')
  const address = text.slice(0, hash)
  const mark = text.charAt(hash + 1)
  const msgId = text.slice(hash + 2)
  const kind = mark === 'r' ? 'registration' : mark === 'a' ? 'authentication' : undefined
  if (kind === undefined || !address.endsWith('/m') || !MESSAGE_ID.test(msgId)) return err('not_ours')
  return ok({ baseUrl: address.slice(0, -'/m'.length), kind, msgId })
}

/** The text after `#` without its first character, read without checks as an RP does. */
export const messageIdOf = (url: string): string => url.slice(url.indexOf('#') + 2)
