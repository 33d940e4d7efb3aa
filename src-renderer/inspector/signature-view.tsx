import { Check, Minus, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SignatureState } from '../../src-main/core/contract/control/states.ts'
import { errors } from '../../src-main/core/contract/errors.ts'
import type { FirstDifference } from '../../src-main/core/judge/signing/first-difference.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { whenDone } from '../ui/effects.ts'
import { Chip } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { useQuery } from '../ui/use-asked.ts'
import type { Exchange } from './exchange-lines.ts'
import { PartHead } from './part.tsx'
import { RefusalHead, SignatureHead } from './refusal-head.tsx'
import styles from './signature-view.module.css'
import { deriveSigning, type Line, type Signing, webDigest } from './signing.ts'

export const SignatureView = ({ exchange }: { readonly exchange: Exchange }) => {
  const words = texts.inspector.signing
  const signing = useSigning(exchange)
  const explanation = useExplanation(exchange)
  if (signing === 'unavailable') return <p className="empty">{words.unavailable}</p>
  if (signing === undefined) return <p className="empty">{words.unreadable}</p>
  if (signing === 'working') return null
  const key = signing.accessKeyId ?? exchange.access_key_id
  const mismatch = signing.outcome === 'mismatch'
  const differsAt = (text: FirstDifference['in']): number | undefined =>
    explanation?.difference?.in === text ? explanation.difference.line : undefined
  return (
    <div className={`${styles.signing} grid shortens`} data-outcome={signing.outcome}>
      {mismatch ? (
        <SignatureHead
          explanation={explanation}
          computed={{
            canonical: signing.ofService ?? signing.canonicalText,
            toSign: signing.toSign.map(({ text }) => text).join('\n'),
          }}
        />
      ) : signing.outcome === 'not-judged' ? (
        <RefusalHead exchange={exchange} />
      ) : null}
      <div className={`${styles.signingPart} shortens scrolls`}>
        <PartHead title={words.canonical}>
          <span className="push-right">{words.lines(signing.canonical.length)}</span>
          <CopyButton name={words.copyCanonical} text={signing.canonicalText} iconOnly />
        </PartHead>
        <Lines lines={signing.canonical} differsAt={differsAt('canonical_request')} />
      </div>
      <div className={`${styles.signingPart} shortens scrolls`}>
        <PartHead title={words.toSign}>
          <span className="push-right">{words.noNewline}</span>
          <CopyButton name={words.copyToSign} text={signing.toSign.map(({ text }) => text).join('\n')} iconOnly />
        </PartHead>
        <Lines lines={signing.toSign} differsAt={differsAt('string_to_sign')} />
        <PartHead title={words.signature}>
          {key === undefined ? null : <code className="small ink">{key}</code>}
        </PartHead>
        <Lines lines={[{ name: 'received', text: signing.signature }]} />
      </div>
      {mismatch ? null : <Judgement signing={signing} />}
    </div>
  )
}

const useSigning = (exchange: Exchange): Signing | undefined | 'working' | 'unavailable' => {
  const [signing, setSigning] = useState<Signing | undefined | 'working' | 'unavailable'>('working')
  const canonicalUri = useBenchPart((state) => state.canonicalUri)
  const [digest] = useState(webDigest)
  useEffect(() => {
    const made = digest === undefined ? undefined : deriveSigning(exchange, canonicalUri, digest)
    return whenDone(made, setSigning)
  }, [exchange, canonicalUri, digest])
  return digest === undefined ? 'unavailable' : signing
}

/** Only a mismatch is explained, and only when the view opens. */
const useExplanation = ({ seq, response }: Exchange): SignatureState | undefined =>
  useQuery(
    async (client) =>
      response.code === errors.signature_mismatch.code
        ? client.call('events.signature', { params: { seq: String(seq) } })
        : undefined,
    String(seq),
  )

type LinesProps = { readonly lines: readonly Line[]; readonly differsAt?: number | undefined }

/** The parts of a signed request; most of them are also facts that Inspect shows. */
const NAMES: Readonly<Record<string, string>> = { ...texts.inspect.factNames, ...texts.inspector.signing.names }

const Lines = ({ lines, differsAt }: LinesProps) => {
  const { emptyLine } = texts.inspector.signing
  return (
    <dl className={`${styles.signingLines} px-6 pb-6`}>
      {lines.map(({ name, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text differ only by their place.
        <div className={`grid rounded-5 label-76 px-10 ${i + 1 === differsAt ? 'fail bg-fail-soft' : ''}`} key={i}>
          <dt className={`small leading-20 ${i + 1 === differsAt ? '' : 'faint'}`}>{NAMES[name] ?? ''}</dt>
          <dd className="mono-12 breaks">{text === '' ? <i className="faint upright sans">{emptyLine}</i> : text}</dd>
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

const Judgement = ({ signing }: { readonly signing: Signing }) => {
  const words = texts.inspector.signing
  const { tone, Icon } = LOOKS[signing.outcome]
  return (
    <div
      className={`${styles.signingPart} ${styles.signingVerdict} column top shortens gap-10 scrolls small muted leading-17 px-16 py-12`}
    >
      <Chip tone={tone}>
        <Icon size={12} strokeWidth={2.5} />
        {words.outcomes[signing.outcome]}
      </Chip>
      <p>{words.payloadHelp}</p>
      {signing.skewMs === undefined ? null : <p>{words.skew((signing.skewMs / 1000).toFixed(1))}</p>}
      <p className={styles.signingAside}>{words.forms[signing.form]}</p>
    </div>
  )
}
