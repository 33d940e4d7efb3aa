import { Check, Minus, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ExchangeEvent } from '../../src-main/protocol/exchange-event.ts'
import { useBench } from '../bench/use-bench.ts'
import { Chip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { RefusalText } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { type Line, type Signing, signingOf, webDigest } from './signing.ts'

type Exchange = Extract<ExchangeEvent, { kind: 'exchange' }>

/** How the signature came about, line by line: canonical request, string to sign, signature. */
export const SignatureView = ({ exchange }: { readonly exchange: Exchange }) => {
  const words = texts.inspector.signing
  const signing = useSigning(exchange)
  if (signing === 'unavailable') return <p className="empty">{words.unavailable}</p>
  if (signing === undefined) return <p className="empty">{words.unreadable}</p>
  if (signing === 'working') return null
  const key = signing.accessKeyId ?? exchange.access_key_id
  return (
    <div className="signing">
      <div className="signing-part">
        <h3 className="part-head">
          {words.canonical}
          <span className="push-right">{words.lines(signing.canonical.length)}</span>
          <CopyButton name={words.copyCanonical} text={signing.canonicalText} iconOnly />
        </h3>
        <Lines lines={signing.canonical} />
      </div>
      <div className="signing-part">
        <h3 className="part-head">
          {words.toSign}
          <span className="push-right">{words.noNewline}</span>
          <CopyButton name={words.copyToSign} text={signing.toSign.map(({ text }) => text).join('\n')} iconOnly />
        </h3>
        <Lines lines={signing.toSign} />
        <h3 className="part-head">
          {words.signature}
          {key === undefined ? null : <code>{key}</code>}
        </h3>
        <Lines lines={[{ name: 'received', text: signing.signature }]} />
        {signing.service === undefined ? null : (
          <>
            <h3 className="part-head">{words.asService}</h3>
            <pre className="signing-told">{signing.service.canonicalRequest}</pre>
            {signing.service.stringsToSign.map((text) => (
              <pre key={text} className="signing-told">
                {text}
              </pre>
            ))}
          </>
        )}
      </div>
      <Judgement signing={signing} error={exchange.response.code === 0 ? undefined : exchange.response.body} />
    </div>
  )
}

const useSigning = (exchange: Exchange): Signing | undefined | 'working' | 'unavailable' => {
  const [signing, setSigning] = useState<Signing | undefined | 'working' | 'unavailable'>('working')
  const { canonicalUri } = useBench()
  useEffect(() => {
    const digest = webDigest()
    if (digest === undefined) {
      setSigning('unavailable')
      return
    }
    let current = true
    void signingOf(exchange, canonicalUri, digest).then((made) => {
      if (current) setSigning(made)
    })
    return () => {
      current = false
    }
  }, [exchange, canonicalUri])
  return signing
}

const Lines = ({ lines }: { readonly lines: readonly Line[] }) => {
  const { names, emptyLine } = texts.inspector.signing
  return (
    <dl className="signing-lines">
      {lines.map(({ name, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text are told apart by their place.
        <div key={i}>
          <dt>{names[name] ?? ''}</dt>
          <dd>{text === '' ? <i>{emptyLine}</i> : text}</dd>
        </div>
      ))}
    </dl>
  )
}

const LOOKS = {
  matches: { tone: 'ok', Icon: Check },
  mismatch: { tone: 'fail', Icon: X },
  'not-judged': { tone: 'warn', Icon: Minus },
} as const

const Judgement = ({ signing, error }: { readonly signing: Signing; readonly error: string | undefined }) => {
  const words = texts.inspector.signing
  const { tone, Icon } = LOOKS[signing.outcome]
  return (
    <div className="signing-part signing-verdict">
      <Chip tone={tone}>
        <Icon size={12} strokeWidth={2.5} aria-hidden="true" />
        {words.outcomes[signing.outcome]}
      </Chip>
      {signing.outcome === 'matches' || error === undefined ? null : (
        <p className={signing.outcome === 'mismatch' ? 'signing-aside' : undefined}>
          <RefusalText {...refusalIn(error)} />
        </p>
      )}
      <p>{signing.outcome === 'mismatch' ? words.mismatchHelp : words.payloadHelp}</p>
      {signing.skewMs === undefined ? null : <p>{words.skew((signing.skewMs / 1000).toFixed(1))}</p>}
      <p className="signing-aside">{words.forms[signing.form]}</p>
    </div>
  )
}

const refusalIn = (body: string): { readonly code: number; readonly error: string } => {
  try {
    const { code, error } = JSON.parse(body)
    return { code: Number(code ?? 0), error: String(error ?? '') }
  } catch {
    return { code: 0, error: '' }
  }
}
