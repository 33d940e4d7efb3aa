import type { Exchange } from '../inspector/exchange-lines.ts'
import type { ResendLinks } from '../inspector/inspector-part.tsx'
import { AnswerForm } from './answer-form.tsx'
import { RequestForm } from './request-form.tsx'

export const ResendView = ({ exchange, ...links }: ResendLinks & { readonly exchange: Exchange }) =>
  exchange.interface === 'rp' ? (
    <RequestForm key={exchange.seq} exchange={exchange} {...links} />
  ) : (
    <AnswerForm key={exchange.seq} exchange={exchange} {...links} />
  )
