import { err, ok, type Result } from './result.ts'

export type MessageKind = 'registration' | 'authentication'

/** The one character before the message id, which clients remove. */
const KIND_MARK = { registration: 'r', authentication: 'a' } as const satisfies Record<MessageKind, string>

const ADDRESS = /^(https?:\/\/[^#]*)\/m#([ra])([A-Za-z0-9_-]{22})$/

export type MessageAddress = {
  /** `{base_url}`, with the workspace's path where there is one. */
  readonly baseUrl: string
  readonly kind: MessageKind
  readonly msgId: string
}

export const encodeMessageAddress = ({ baseUrl, kind, msgId }: MessageAddress): string =>
  `${baseUrl}/m#${KIND_MARK[kind]}${msgId}`

export const parseMessageAddress = (text: string): Result<MessageAddress, 'not_ours'> => {
  const [, baseUrl, mark, msgId] = ADDRESS.exec(text) ?? []
  if (baseUrl === undefined || msgId === undefined) return err('not_ours')
  return ok({ baseUrl, kind: mark === 'r' ? 'registration' : 'authentication', msgId })
}

/** The text after `#` without its first character, read without checks as an RP does. */
export const messageIdOf = (url: string): string => url.slice(url.indexOf('#') + 2)
