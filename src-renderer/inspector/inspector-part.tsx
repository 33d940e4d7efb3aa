import { type ReactElement, useContext } from 'react'
import type { HeaderPair } from '../../src-main/core/protocol/canonical-request.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import type { Selection } from '../bench/selection.ts'
import type { InspectorTab } from '../ui/address.ts'
import { LinkContext } from '../ui/use-address.ts'
import { CompareView } from './compare-view.tsx'
import { DecodedView } from './decoded-view.tsx'
import type { Exchange } from './exchange-lines.ts'
import { type InspectedMessage, MessageView } from './message-view.tsx'
import { OverviewView } from './overview-view.tsx'
import { generalAuthorization } from './refusal-proof.ts'
import { SignatureView } from './signature-view.tsx'
import { StepsView } from './steps-view.tsx'

export type ResendLinks = {
  readonly onShow: (seq: number, part: 'overview' | 'steps') => void
  readonly onCompare: (original: Exchange, seq: number) => void
}

type InspectorPartProps = ResendLinks & {
  /** Absent without a live bench. */
  readonly edit: ((exchange: Exchange, links: ResendLinks) => ReactElement) | undefined
  readonly selection: Selection
  readonly tab: InspectorTab
  readonly held: Exchange | undefined
  readonly onRetried: (message: Message) => void
}

export const InspectorPart = ({ selection, tab, held, onRetried, edit, onShow, onCompare }: InspectorPartProps) => {
  // A report has no Inspect page to link to.
  const alone = useContext(LinkContext) === undefined
  const { exchange, verdict, message } = selection
  if (tab === 'compare' && held !== undefined) return <CompareView held={held} other={exchange} />
  if (tab === 'steps' && verdict !== undefined) {
    return (
      <StepsView
        key={verdict.seq}
        verdict={verdict}
        answer={exchange?.request.body ?? ''}
        message={message}
        onRetried={onRetried}
      />
    )
  }
  if (exchange !== undefined && tab === 'resend') return edit?.(exchange, { onShow, onCompare }) ?? null
  if (exchange !== undefined && tab === 'signature') return <SignatureView exchange={exchange} key={exchange.seq} />
  if (exchange !== undefined && tab === 'decoded') {
    return <DecodedView body={exchange.request.body} key={exchange.seq} />
  }
  if (exchange === undefined || tab === 'overview') {
    return (
      <OverviewView
        selection={selection}
        onLook={(seq) => onShow(seq, 'overview')}
        onWhy={(seq) => onShow(seq, 'steps')}
        onCompare={onCompare}
      />
    )
  }
  const { request, response } = exchange
  const shown =
    tab === 'request'
      ? { first: `${request.method} ${request.target}`, bytes: request.body_bytes, ...request }
      : { first: `HTTP ${response.status}`, bytes: new TextEncoder().encode(response.body).length, ...response }
  const inspected = tab === 'request' ? requestInspected(exchange) : responseInspected(exchange)
  return <MessageView key={`${tab}${exchange.seq}`} {...shown} inspected={alone ? undefined : inspected} />
}

const onTheWire = (first: string, headers: readonly HeaderPair[], body: string): string =>
  `${[first, ...headers.map((header) => header.join(': '))].join('\n')}\n\n${body}`

/** The page knows only the ID of the access key. */
const requestInspected = (exchange: Exchange): InspectedMessage => {
  const { request } = exchange
  const accessKeyId = generalAuthorization(exchange)?.accessKeyId ?? exchange.access_key_id
  return {
    text: onTheWire(`${request.method} ${request.target} HTTP/1.1`, request.headers, request.body),
    given: accessKeyId === undefined ? {} : { accessKeyId },
  }
}

const responseInspected = ({ response }: Exchange): InspectedMessage => ({
  text: onTheWire(`HTTP/1.1 ${response.status}`, response.headers, response.body),
  given: {},
})
