import { ArrowLeft, FileSearch, X } from 'lucide-react'
import { type DragEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { inspectionTitle } from '../../src-main/core/messages/inspection-text.ts'
import { utf8 } from '../../src-main/core/protocol/bytes.ts'
import { withoutUndefined } from '../../src-main/core/protocol/json.ts'
import { looksLikeOrigin, parseOptions, parseRoots } from '../../src-main/views/inspect/given-written.ts'
import { inspect } from '../../src-main/views/inspect/inspect.ts'
import type { Inspection, VerdictInput } from '../../src-main/views/inspect/inspection.ts'
import { parsePublicKey } from '../../src-main/views/inspect/public-key-in.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { runAfter } from '../ui/effects.ts'
import { byteCount } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { pageNow } from '../ui/page-clock.ts'
import { Button, FileButton } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { useTitle } from '../ui/use-address.ts'
import { FindingView } from './finding-view.tsx'
import styles from './inspect-screen.module.css'

const PROBLEM = 'fail bg-fail-soft rounded-7 pretty mx-16 mb-12 px-12 py-8'

import * as inspected from './inspected.ts'
import { HAS_WEB_CRYPTO, pageCrypto, pageSigningCrypto } from './page-crypto.ts'
import { SAMPLES } from './samples.ts'

export type InspectScreenProps = { readonly onTrace?: () => void }

export const InspectScreen = ({ onTrace }: InspectScreenProps) => {
  const words = texts.inspect
  const { input, given, problem } = inspected.useInspected()
  const knownRpIds = useBenchPart((state) => state.rps.map(({ rp_id }) => rp_id).join(' '))
  const { inspection, wrong } = useInspection({ input, given, knownRpIds })
  const isEmpty = input.kind === 'text' && input.text.trim() === ''
  const found = isEmpty ? undefined : inspection
  useTitle(
    found === undefined || found.kind === 'empty'
      ? texts.frame.inspect
      : `${inspectionTitle(messages, found.kind)} · ${texts.frame.inspect}`,
  )
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file === undefined) return
    event.preventDefault()
    void inspected.inspectFile(file)
  }
  return (
    <main
      className={`${styles.inspect} grid shortens bg-surface`}
      data-part="inspect"
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        // Otherwise the window would offer to open the file as a trace.
        event.stopPropagation()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h1 className="unseen">{texts.frame.inspect}</h1>
      <div className={`${styles.asked} shortens scrolls bg-surface-2 line-right`}>
        {onTrace === undefined ? null : (
          <Button
            Icon={ArrowLeft}
            look="ghost"
            className="self-start mx-8 mt-8"
            onClick={onTrace}
            text={words.toTrace}
          />
        )}
        <Paste input={input} over={over} isEmpty={isEmpty} />
        {problem === undefined ? null : (
          <p className={PROBLEM} role="alert">
            {problemText(problem)}
          </p>
        )}
        {isEmpty ? <Samples /> : null}
        {found === undefined ? null : <GivenFields found={found} given={given} wrong={wrong} />}
      </div>
      <section
        className={`${styles.told} column shortens scrolls relative inset-focus pb-24`}
        aria-label={words.result}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
      >
        {found === undefined || found.kind === 'empty' ? (
          <p className="empty">
            <FileSearch className="faint" size={24} strokeWidth={1.5} />
            {words.emptyLead}
          </p>
        ) : (
          <>
            <FindingView found={found} />
            {HAS_WEB_CRYPTO ? null : <p className={PROBLEM}>{words.noWebCrypto}</p>}
          </>
        )}
      </section>
    </main>
  )
}

type PasteProps = { readonly input: inspected.InspectInput; readonly over: boolean; readonly isEmpty: boolean }

const Paste = ({ input, over, isEmpty }: PasteProps) => {
  const words = texts.inspect
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // Focuses an empty field so that Ctrl-V pastes into it, unless something else has the focus.
    if (field.current?.value === '' && document.activeElement === document.body) field.current.focus()
  }, [])
  return (
    <div className={`${styles.paste} column gap-8 px-16 py-14`} data-over={over || undefined}>
      <label className="text-13 weight-600" htmlFor="inspect-text">
        {words.paste}
      </label>
      {input.kind === 'text' ? (
        <textarea
          className="breaks bg-surface rounded-7 framed min-h-172 p-10-12"
          id="inspect-text"
          ref={field}
          spellCheck={false}
          autoComplete="off"
          placeholder={words.placeholder}
          value={input.text}
          onPaste={(event) => {
            const [pasted] = event.clipboardData.files
            if (pasted === undefined || event.clipboardData.getData('text/plain') !== '') return
            event.preventDefault()
            void inspected.inspectFile(pasted)
          }}
          onChange={({ target }) => inspected.inspectText(target.value)}
        />
      ) : (
        <p className={`${styles.file} column middle gap-4 breaks centre min-h-172 p-10-12`} id="inspect-text">
          <code>{input.name}</code>
          <span className="small faint">{byteCount(input.bytes.length)}</span>
        </p>
      )}
      <div className="flex wraps gap-8">
        <FileButton
          name={words.chooseFile}
          text={words.chooseFile}
          onFile={(chosen) => void inspected.inspectFile(chosen)}
        />
        {isEmpty ? null : <Button Icon={X} look="ghost" onClick={inspected.forgetInspected} text={words.clear} />}
      </div>
    </div>
  )
}

const Samples = () => (
  <section className="px-16 pt-4 pb-20" aria-label={texts.inspect.examples}>
    <h2 className="small muted weight-540 pb-4">{texts.inspect.examples}</h2>
    <ul>
      {SAMPLES.map(({ name, text, given }) => (
        <li key={name}>
          <button
            className="wide text-left accent rounded-6 hovers-3 outdent-8 px-8 py-4"
            type="button"
            onClick={() => inspected.inspectText(text, given)}
          >
            {texts.inspect.samples[name]}
          </button>
        </li>
      ))}
    </ul>
  </section>
)

const problemText = (problem: inspected.InputProblem): string =>
  problem.code === 'tooLarge'
    ? texts.inspect.problems.tooLarge(byteCount(problem.size))
    : texts.inspect.problems[problem.code]

/** Delay of the inspection after the last change, so that it does not run at every key. */
const SETTLES_AFTER_MS = 60

type Asked = {
  readonly input: inspected.InspectInput
  readonly given: inspected.GivenTexts
  /** Joined into one string, so that an equal list does not start a new inspection. */
  readonly knownRpIds: string
}

/** Keeps the previous inspection until a new one is done. */
const useInspection = ({ input, given: texts, knownRpIds }: Asked) => {
  const parsed = useMemo(() => parseGiven(texts), [texts])
  const [inspection, setInspection] = useState<Inspection>()
  useEffect(() => {
    const look = async (isCurrent: () => boolean) => {
      const bytes = input.kind === 'text' ? utf8(input.text) : input.bytes
      const given = { ...parsed.given, knownRpIds: knownRpIds.split(' ') }
      const pause = () => new Promise<void>((go) => setTimeout(go))
      const found = await inspect(bytes, given, {
        crypto: pageCrypto,
        signing: pageSigningCrypto,
        now: pageNow(),
        pause,
      })
      if (isCurrent()) setInspection(found)
    }
    return runAfter(SETTLES_AFTER_MS, (isCurrent) => void look(isCurrent))
  }, [input, parsed, knownRpIds])
  return { inspection, wrong: parsed.wrong }
}

/** An invalid field counts as empty. */
const parseGiven = (texts: inspected.GivenTexts) => {
  const written = (field: inspected.GivenField): string | undefined => {
    const text = texts[field]?.trim()
    return text === '' ? undefined : text
  }
  const read = <T,>(field: inspected.GivenField, parse: (text: string) => T | undefined): T | undefined => {
    const text = written(field)
    return text === undefined ? undefined : parse(text)
  }
  const found = {
    options: read('options', parseOptions),
    origin: read('origin', (text) => {
      const origins = text.split(/[\s,]+/)
      return origins.every(looksLikeOrigin) ? origins : undefined
    }),
    publicKey: read('publicKey', (text) => parsePublicKey(utf8(text))),
    accessKeyId: written('accessKeyId'),
    secret: written('secret'),
    rpId: written('rpId'),
    signCount: read('signCount', (text) => (/^\d{1,10}$/.test(text) ? Number(text) : undefined)),
    roots: read('roots', parseRoots),
  }
  const { origin: origins, accessKeyId: id, secret, ...others } = found
  const accessKey = id === undefined || secret === undefined ? undefined : { id, secret }
  return {
    given: withoutUndefined({ ...others, origins, accessKey }),
    wrong: new Set(
      inspected.GIVEN_FIELDS.filter((field) => written(field) !== undefined && found[field] === undefined),
    ),
  }
}

type GivenFieldsProps = {
  readonly found: Inspection
  readonly given: inspected.GivenTexts
  readonly wrong: ReadonlySet<inspected.GivenField>
}

/** Values that a verdict needs, or that make it stricter. */
const GivenFields = ({ found, given, wrong }: GivenFieldsProps) => {
  const words = texts.inspect
  const all = withInner(found)
  const missing = all.flatMap((each) => each.missing)
  const fields = new Set(all.flatMap(({ kind }) => FIELDS[kind] ?? []))
  const needed = new Set(missing.flatMap((wanted) => NEEDS[wanted]))
  if (fields.size === 0 && missing.length === 0) return null
  return (
    <section className={`${styles.given} column gap-10 line-above px-16 pt-14 pb-20`} aria-label={words.forVerdict}>
      <h2 className="text-13 weight-600">{words.forVerdict}</h2>
      <p className="note">{missing.includes('certificate') ? words.issuerBehind : words.inMemory}</p>
      {[...fields].map((field) => (
        <Field
          key={field}
          field={field}
          value={given[field] ?? ''}
          needed={needed.has(field)}
          wrong={wrong.has(field)}
        />
      ))}
    </section>
  )
}

/** Includes the inner inspections: a request needs its secret, and the response in its body needs its options. */
const withInner = (found: Inspection): readonly Inspection[] => [found, ...found.within.flatMap(withInner)]

const FIELDS: Readonly<Partial<Record<Inspection['kind'], readonly inspected.GivenField[]>>> = {
  'registration-response': ['options', 'origin', 'rpId', 'roots'],
  'authentication-response': ['options', 'origin', 'publicKey', 'rpId', 'signCount'],
  'http-request': ['accessKeyId', 'secret'],
  'curl-command': ['accessKeyId', 'secret'],
  ...{ jws: ['publicKey'], 'metadata-blob': ['publicKey'] },
  ...{ certificate: ['roots'], 'certificate-chain': ['roots'] },
  ...{ 'attestation-object': ['rpId'], 'authenticator-data': ['rpId'], 'signed-data': ['rpId'], digest: ['rpId'] },
}

const NEEDS: Readonly<Record<VerdictInput, readonly inspected.GivenField[]>> = {
  options: ['options'],
  origin: ['origin'],
  'public-key': ['publicKey'],
  'access-key': ['accessKeyId', 'secret'],
  certificate: [],
}

const LARGE: ReadonlySet<inspected.GivenField> = new Set(['options', 'publicKey', 'roots'])

type FieldProps = {
  readonly field: inspected.GivenField
  readonly value: string
  readonly needed: boolean
  readonly wrong: boolean
}

const Field = ({ field, value, needed, wrong }: FieldProps) => {
  const words = texts.inspect
  const id = useId()
  const common = {
    id,
    value,
    spellCheck: false,
    autoComplete: 'off',
    placeholder: words.fields[field].hint,
    'aria-invalid': wrong,
    'aria-describedby': wrong || needed ? `${id}-said` : undefined,
    className: 'mono small',
  } as const
  const onText = (text: string) => inspected.giveForVerdict(field, text)
  return (
    <div className={`${styles.field} grid own-and-rest baseline gap-4-8`} data-needed={needed || undefined}>
      <label className="small weight-530" htmlFor={id}>
        {words.fields[field].name}
      </label>
      {wrong ? (
        <small className="tiny leading-16 fail" id={`${id}-said`} role="alert">
          {words.fields[field].wrong}
        </small>
      ) : needed ? (
        <small className="tiny leading-16 warn" id={`${id}-said`}>
          {words.needed}
        </small>
      ) : null}
      <div className="field whole-row" data-wrong={wrong || undefined} data-large={LARGE.has(field) || undefined}>
        {LARGE.has(field) ? (
          <textarea {...common} rows={3} onChange={({ target }) => onText(target.value)} />
        ) : (
          <input
            {...common}
            type={field === 'secret' ? 'password' : 'text'}
            list={SUGGESTED.has(field) ? `${id}-known` : undefined}
            onChange={({ target }) => onText(target.value)}
          />
        )}
      </div>
      {SUGGESTED.has(field) ? <Known id={`${id}-known`} field={field} /> : null}
    </div>
  )
}

const SUGGESTED: ReadonlySet<inspected.GivenField> = new Set(['origin', 'rpId'])

const Known = ({ id, field }: { readonly id: string; readonly field: inspected.GivenField }) => {
  const rps = useBenchPart((state) => state.rps)
  const known = new Set(rps.flatMap(({ rp_id, origins }) => (field === 'rpId' ? [rp_id] : origins)))
  return (
    <datalist id={id}>
      {[...known].map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
