import { useState } from 'react'
import type { SignatureState } from '../../src-main/core/contract/control/states.ts'
import { errorNameOf, errors } from '../../src-main/core/contract/errors.ts'
import { type FirstDifference, firstDifference } from '../../src-main/core/judge/signing/first-difference.ts'
import { signatureText } from '../../src-main/core/messages/signature-text.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { readReason } from '../../src-main/views/timeline/json-member.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { messages, reasonText } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import { useQuery } from '../ui/use-asked.ts'
import type { Exchange } from './exchange-lines.ts'
import { differingParts, Marked } from './marked.tsx'
import partStyles from './part.module.css'
import { ComparedList, ExplainedHead } from './part.tsx'
import { refusalProof } from './refusal-proof.ts'

export const RefusalHead = ({ exchange }: { readonly exchange: Exchange }) => {
  const words = texts.inspector.refused
  const skewClock = useBenchPart((state) => state.skewClock)
  const { code } = exchange.response
  const name = errorNameOf(code)
  const keys = useQuery(
    async (client) => (code === errors.unknown_access_key.code ? activeKeys(client) : undefined),
    String(code),
  )
  if (name === undefined) return null
  const reason = readReason(exchange.response.body)
  const proof = refusalProof(name, exchange, { skewClock, activeKeys: keys ?? [] })
  return (
    <ExplainedHead className={partStyles.ofRefusal} title={messages.errors[name]}>
      <p>
        <code>{code}</code> {reason === undefined ? null : reasonText(reason)}
      </p>
      {proof === undefined ? null : (
        <ComparedList
          className="wide"
          rows={[
            [words.received, proof.received ?? <i>{words.nothing}</i>],
            [words.expected, proof.expected],
          ]}
        />
      )}
      <p>
        <b>{words.advice}</b> {messages.advice[name]}
      </p>
    </ExplainedHead>
  )
}

const activeKeys = async (client: ControlClient): Promise<readonly string[]> => {
  const { rps } = await client.call('rps.list')
  const lists = await Promise.all(rps.map(({ id }) => client.call('keys.list', { params: { rp: id } })))
  return lists.flatMap(({ keys }) => keys.filter(({ state }) => state === 'active').map(({ id }) => id))
}

type SignatureHeadProps = {
  /** Undefined while the explanation is being computed. */
  readonly explanation: SignatureState | undefined
  readonly computed: { readonly canonical: string; readonly toSign: string }
}

export const SignatureHead = ({ explanation, computed }: SignatureHeadProps) => {
  const words = texts.inspector.signing.explained
  return (
    <ExplainedHead
      className={partStyles.ofSigning}
      title={explanation === undefined ? texts.inspector.signing.outcomes.mismatch : undefined}
      aria-live="polite"
      data-outcome={explanation?.outcome ?? 'working'}
    >
      {explanation === undefined ? <p>{words.looking}</p> : <Found explanation={explanation} computed={computed} />}
    </ExplainedHead>
  )
}

type FoundProps = { readonly explanation: SignatureState; readonly computed: SignatureHeadProps['computed'] }

const Found = ({ explanation, computed }: FoundProps) => {
  const words = texts.inspector.signing.explained
  const { outcome, mistakes, difference, tried, signed_well } = explanation
  if (outcome === 'holds') {
    return (
      <>
        <h2 className="title-15 weight-610 pretty">{words.holds}</h2>
        <p>{words.holdsLead}</p>
      </>
    )
  }
  return (
    <>
      {mistakes.length === 0 ? (
        <h2 className="title-15 weight-610 pretty">
          {signed_well === undefined ? words.unexplained : signatureText(messages, explanation)}
        </h2>
      ) : (
        mistakes.map(({ id, note }, i) => (
          <h2 className={`title-15 weight-610 pretty ${i > 0 ? 'mt-4' : ''}`} key={id}>
            {textOf(messages.signingMistakes, { code: id })}
            {note === undefined ? null : <code>{note}</code>}
          </h2>
        ))
      )}
      {difference === undefined ? (
        <p>
          {outcome === 'explained'
            ? words.onlyKey
            : (signed_well === undefined ? words.unexplainedLead : words.bodyLead)(tried.toLocaleString('en'))}
        </p>
      ) : (
        <Difference difference={difference} />
      )}
      {outcome === 'unexplained' && difference === undefined ? <PasteYours computed={computed} /> : null}
    </>
  )
}

const Difference = ({ difference }: { readonly difference: FirstDifference }) => {
  const words = texts.inspector.signing.explained
  const { signed, computed } = difference
  const parts =
    signed === undefined || computed === undefined
      ? undefined
      : differingParts({ expected: computed, received: signed })
  const line = (text: string | undefined, look: 'got' | 'wanted') =>
    text === undefined ? (
      <i className="faint upright sans">{words.noLine}</i>
    ) : text === '' ? (
      <i className="faint upright sans">{texts.inspector.signing.emptyLine}</i>
    ) : parts === undefined ? (
      text
    ) : (
      <Marked parts={parts} middle={look === 'got' ? parts.received : parts.expected} look={look} />
    )
  return (
    <>
      <p>{words.at(String(difference.line), words.texts[difference.in])}</p>
      <ComparedList
        className="wide"
        rows={[
          [words.signed, line(signed, 'got')],
          [words.computed[difference.in], line(computed, 'wanted')],
        ]}
      />
    </>
  )
}

/** If no known mistake explains the signature, the user can paste the signed text. It never leaves the page. */
const PasteYours = ({ computed }: { readonly computed: SignatureHeadProps['computed'] }) => {
  const words = texts.inspector.signing.explained
  const [text, setText] = useState('')
  const { difference, isBody } = comparePasted(text, computed)
  return (
    <div className={`${partStyles.pasteYours} mt-8`}>
      <textarea
        className="wide ink bg-surface rounded-7 p-8-10"
        aria-label={words.paste}
        placeholder={words.paste}
        rows={3}
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {text === '' ? null : difference === undefined ? <p>{words.same}</p> : <Difference difference={difference} />}
      {isBody ? <p>{words.bodyDiffers}</p> : null}
    </div>
  )
}

/** Distinguishes a canonical request, which begins with its method, from a string to sign. */
const METHOD_LINE = /^(GET|POST|DELETE|PUT|PATCH|HEAD)\n/i

/** `isBody`: only the last line differs, which is the hash of the body. */
export const comparePasted = (signed: string, computed: SignatureHeadProps['computed']) => {
  if (!METHOD_LINE.test(signed)) {
    return { difference: firstDifference('string_to_sign', { signed, computed: computed.toSign }), isBody: false }
  }
  const difference = firstDifference('canonical_request', { signed, computed: computed.canonical })
  return { difference, isBody: difference?.line === computed.canonical.split('\n').length }
}
