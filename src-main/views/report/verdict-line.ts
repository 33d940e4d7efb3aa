import { errorNameOf } from '../../core/contract/errors.ts'
import type { BenchEvent } from '../../core/contract/events.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { failureWord } from '../../core/protocol/message-state.ts'
import { code, prose } from './markdown.ts'

type Message = Extract<BenchEvent, { readonly kind: 'message' }>
type Exchange = Extract<BenchEvent, { readonly kind: 'exchange' }>

/** The last bad result if there are several results. */
export const verdictLine = (events: readonly BenchEvent[], { errors }: Pick<Messages, 'errors'>): string => {
  const bad = events.findLast(isBad)
  if (bad?.kind === 'message') return `✗ ${endOf(bad)}`
  if (bad?.kind === 'exchange') {
    const name = errorNameOf(bad.response.code)
    const call = code(`${bad.request.method} ${bad.request.route ?? bad.request.target}`)
    const named = name === undefined ? '' : ` ${code(name)}`
    return `✗ ${bad.response.code}${named}: ${call}${name === undefined ? '' : ` ${prose(errors[name])}`}`
  }
  const last = events.findLast((event): event is Message => event.kind === 'message')
  return last === undefined ? 'Nothing was refused' : `${last.to === 'success' ? '✓' : '…'} ${endOf(last)}`
}

/** The result of the events for use in a name, without Markdown. */
export const verdictWords = (events: readonly BenchEvent[]): string => {
  const bad = events.findLast(isBad) ?? events.findLast((event): event is Message => event.kind === 'message')
  if (bad?.kind === 'message') return `${bad.ceremony} of ${bad.username}: ${wordIn(bad)}`
  if (bad === undefined) return 'What happened'
  return `${bad.request.method} ${bad.request.route ?? bad.request.target}: ${bad.response.code}`
}

const wordIn = ({ to, error = '' }: Message): string => failureWord(error) || to

const isBad = (event: BenchEvent): event is Message | Exchange =>
  event.kind === 'message'
    ? event.to === 'fail' || event.to === 'timeout'
    : event.kind === 'exchange' && event.response.code !== 0

const endOf = (message: Message): string => {
  const { ceremony, method, username } = message
  const how = method === undefined ? '' : ` by ${method === 'push' ? 'push' : 'QR code'}`
  return `${code(wordIn(message))}: ${ceremony} of ${code(username)}${how}`
}
