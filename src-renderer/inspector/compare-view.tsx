import { useMemo, useState } from 'react'
import { parseAuthorization } from '../../src-main/core/protocol/authorization.ts'
import { toHex } from '../../src-main/core/protocol/bytes.ts'
import { isObject, parseJsonOrNothing } from '../../src-main/core/protocol/json.ts'
import { type DecodedPart, decodeParts, type TreeNode } from '../../src-main/views/inspect/parts.ts'
import { texts } from '../ui/texts.ts'
import styles from './compare-view.module.css'
import { type Exchange, requestLines, responseLines } from './exchange-lines.ts'
import { PartHead } from './part.tsx'

type CompareViewProps = { readonly held: Exchange; readonly other: Exchange | undefined }

export const CompareView = ({ held, other }: CompareViewProps) => {
  const words = texts.inspector
  const changes = useMemo(() => (other === undefined ? [] : findChanges(held, other)), [held, other])
  const [open, setOpen] = useState(false)
  if (other === undefined || other.seq === held.seq) return <p className="empty">{words.compareNext}</p>
  const notable = changes.filter(({ always }) => !always)
  const always = changes.filter((change) => change.always)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className={`${styles.compare} shrinks scrolls pb-12`} aria-label={words.compare} tabIndex={0}>
      <PartHead title={words.telling}>
        <span>{`#${held.seq} → #${other.seq}`}</span>
      </PartHead>
      {notable.length === 0 ? (
        <p className="muted px-16 pb-8">{words.nothingTelling}</p>
      ) : (
        <Changes changes={notable} />
      )}
      {always.length === 0 ? null : (
        <details>
          <summary className="small muted px-16 py-6">{words.alwaysAnother(always.length)}</summary>
          <Changes changes={always} />
        </details>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="small muted px-16 py-6">{words.everyLine}</summary>
        {open ? <EveryLine held={held} other={other} /> : null}
      </details>
    </section>
  )
}

const Changes = ({ changes }: { readonly changes: readonly Change[] }) => (
  <dl className={`${styles.changes} divided`} data-part="changes">
    {changes.map(({ name, before, after }) => (
      <div className="grid gap-2-12 p-4-16" key={name}>
        <dt className="muted breaks">
          <code className={VALUE}>{name}</code>
        </dt>
        <dd className="flex wraps narrows gap-4-10">
          {before ? <ComparedText kind="gone" text={before} inline /> : null}
          {after ? <ComparedText kind="come" text={after} inline /> : null}
        </dd>
      </div>
    ))}
  </dl>
)

const EveryLine = ({ held, other }: { readonly held: Exchange; readonly other: Exchange }) => {
  const words = texts.inspector
  const decoded = lineDifference(decodedLines(held), decodedLines(other))
  return (
    <>
      {decoded.length === 0 ? null : <Side title={words.decodedFields} lines={decoded} />}
      <Side title={words.request} lines={lineDifference(requestLines(held), requestLines(other))} />
      <Side title={words.response} lines={lineDifference(responseLines(held), responseLines(other))} />
    </>
  )
}

const Side = ({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) => (
  <section aria-label={title}>
    <PartHead title={title}>
      <span>{texts.inspector.changedLines(lines.filter(({ kind }) => kind !== 'same').length)}</span>
    </PartHead>
    <div className={`${styles.comparedLines} pb-12`}>
      {lines.map(({ kind, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same line may appear twice.
        <ComparedText key={i} kind={kind} text={text} />
      ))}
    </div>
  </section>
)

const VALUE = 'small breaks preformatted leading-20'

const ComparedText = ({ kind, text, inline = false }: Line & { readonly inline?: boolean }) => {
  const code = <code className={inline ? VALUE : `${VALUE} block p-0-16-0-32`}>{text}</code>
  if (kind === 'same') return code
  const Kind = kind === 'gone' ? 'del' : 'ins'
  const tone = kind === 'gone' ? 'fail bg-fail-soft' : 'ok bg-ok-soft'
  return <Kind className={`${tone} undecorated ${inline ? 'narrows px-6 rounded-4' : 'block'}`}>{code}</Kind>
}

/** A field that differs between two exchanges. `always`: it differs between any two calls. */
type Change = {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
  readonly always: boolean
}

export const findChanges = (before: Exchange, after: Exchange): readonly Change[] => {
  const [old, young] = [fieldsOf(before), fieldsOf(after)]
  const registration = /attestation/.test(after.request.route ?? after.request.target)
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((name) => {
    const change = { name, before: old.get(name), after: young.get(name) }
    if (change.before === change.after) return []
    return [{ ...change, always: isAlways(change, registration) }]
  })
}

/** Fields by name, such as `request.body.user_id`; message IDs are left out. */
const fieldsOf = (exchange: Exchange): ReadonlyMap<string, string> => {
  const { request, response, msg_id: msgId } = exchange
  const target = msgId === undefined ? request.target : request.target.replaceAll(msgId, '{msg_id}')
  const [path = '', query = ''] = target.split('?')
  const decoded = decodedLines(exchange)
  return new Map([
    ['method', request.method],
    ['path', path],
    ...[...new URLSearchParams(query)].map(([name, value]): Field => [`query.${name}`, value]),
    ...headerFields('header', request.headers),
    ...bodyFields('body', request.body).filter(([name]) => decoded.length === 0 || !ENCODED.test(name)),
    ...decoded.map((line): Field => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    ['status', String(response.status)],
    ...headerFields('response.header', response.headers),
    ...bodyFields('response', response.body),
  ])
}

type Field = readonly [name: string, value: string]

const headerFields = (within: string, headers: Exchange['request']['headers']): readonly Field[] =>
  headers.flatMap(([name, value]): readonly Field[] => {
    const field = `${within}.${name.toLowerCase()}`
    const claim = name.toLowerCase() === 'authorization' ? parseAuthorization(value) : undefined
    if (claim?.ok !== true) return [[field, value]]
    const { form, signedHeaders, signature } = claim.value
    const general = claim.value.form === 'general' ? { key: claim.value.accessKeyId, scope: claim.value.scope } : {}
    const parts = { form, ...general, signed: signedHeaders.join(';'), signature }
    return Object.entries(parts).map(([part, text]): Field => [`${field}.${part}`, text])
  })

const bodyFields = (within: string, body: string): readonly Field[] => {
  if (body === '') return []
  const value = parseJsonOrNothing(body)
  return value === undefined ? [[within, body]] : leavesOf(within, value)
}

const leavesOf = (name: string, value: unknown): readonly Field[] => {
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : undefined
  if (inner === undefined || inner.length === 0) {
    return [[name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')]]
  }
  return inner.flatMap(([key, each]) => leavesOf(`${name}.${key}`, each))
}

/** Members that are compared in decoded form instead. */
const ENCODED = /\.response\.(clientDataJSON|authenticatorData|attestationObject|signature|userHandle)$/

/** An authenticator's response with one field per line, so that a changed field changes one line; otherwise empty. */
export const decodedLines = ({ request }: Exchange): readonly string[] =>
  decodeParts(request.body).flatMap((part) => {
    const lines = part.nodes.flatMap((node) => {
      const value = fieldText(part, node)
      return value === '' ? [] : [`${part.name}.${node.id}: ${value}`]
    })
    return part.nodes.length === 1 && part.nodes[0]?.id === part.name ? [`${part.name}: ${toHex(part.bytes)}`] : lines
  })

/** Writes a field in full, because a shortened value could hide a difference. */
const fieldText = ({ bytes }: DecodedPart, { value, flags, start, end }: TreeNode): string => {
  if (flags !== undefined) {
    const set = flags.flatMap(({ name, set }) => (set ? [name] : []))
    return `${value} (${set.join(' ')})`
  }
  return value.endsWith('…') ? toHex(bytes.subarray(start, end)) : value
}

type Line = { readonly kind: 'same' | 'gone' | 'come'; readonly text: string }

/** Longer texts are not compared line by line: every line is shown as removed or added. */
const MAX_LINES = 1_500

/** A changed field's new line follows its old line. */
export const lineDifference = (before: readonly string[], after: readonly string[]): readonly Line[] => {
  if (Math.max(before.length, after.length) > MAX_LINES) {
    return [...before.map((text) => line('gone', text)), ...after.map((text) => line('come', text))]
  }
  const lines = changes(before, after)
  const paired: Line[] = []
  for (let at = 0; at < lines.length; ) {
    const rest = lines.slice(at)
    const end = rest.findIndex(({ kind }) => kind === 'same')
    const run = end < 0 ? rest : rest.slice(0, end)
    paired.push(...pairFields(run), ...rest.slice(run.length, run.length + 1))
    at += run.length + 1
  }
  return paired
}

/** Pairs the old and the new line of a field. Other old lines come before the new ones. */
const pairFields = (run: readonly Line[]): readonly Line[] => {
  const gone = run.filter(({ kind }) => kind === 'gone')
  const come = run.filter(({ kind }) => kind === 'come')
  const fields = come.map(({ text }) => fieldOf(text))
  const paired: Line[] = []
  let next = 0
  for (const old of gone) {
    const field = fieldOf(old.text)
    const at = field === undefined ? -1 : fields.indexOf(field, next)
    if (at < 0) paired.push(old)
    else {
      paired.push(...come.slice(next, at), old, ...come.slice(at, at + 1))
      next = at + 1
    }
  }
  return [...paired, ...come.slice(next)]
}

/** The name before the colon, of a header, a member or a decoded field. */
const fieldOf = (text: string): string | undefined => /^\s*("[^"]*"|[^\s:"]+):/.exec(text)?.[1]

const changes = (before: readonly string[], after: readonly string[]): readonly Line[] => {
  const shared = sharedAfter(before, after)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, young] = [before[i], after[j]]
    if (old !== undefined && old === young) {
      lines.push(line('same', old))
      i++
      j++
    } else if (old !== undefined && (young === undefined || shared(i + 1, j) >= shared(i, j + 1))) {
      lines.push(line('gone', old))
      i++
    } else if (young !== undefined) {
      lines.push(line('come', young))
      j++
    }
  }
  return lines
}

const line = (kind: Line['kind'], text: string): Line => ({ kind, text })

/** Returns the length of the longest common subsequence from positions i and j on. */
const sharedAfter = (before: readonly string[], after: readonly string[]): ((i: number, j: number) => number) => {
  const width = after.length + 1
  const table = new Uint16Array((before.length + 1) * width)
  const at = (i: number, j: number): number => table[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      table[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  return at
}

/** Fields that differ in every call: transport, times, random values, and values derived from them. */
const ALWAYS = new RegExp(
  [
    'header\\.(date|x-svc-date|content-length|connection|keep-alive|traceparent|etag|accept-encoding)$',
    'header\\.authorization\\.signature$',
    '^signature$',
    'challenge$',
    '\\.(msg_id|url|expires_at|created_at|updated_at|canonical_request|string_to_sign)$',
    '^attestationObject\\.(authData$|attStmt\\.)',
  ].join('|'),
)

const ONE_SIDED = /^response\.data\.|header\.(date|content-length|connection|keep-alive)$/

/** A registration makes a new key every time. */
const OF_NEW_KEY = /credentialId$|credentialPublicKey\.(x|y|n)$|^body\.response\.(id|rawId)$|\.response\.publicKey$/

const isAlways = ({ name, before, after }: Omit<Change, 'always'>, registration: boolean): boolean => {
  // A refusal has different members than a success; the difference of the codes already shows that.
  if (before === undefined || after === undefined) return ONE_SIDED.test(name) && ALWAYS.test(name)
  // A counter normally grows.
  if (name === 'authenticatorData.signCount') return Number(after) > Number(before)
  return ALWAYS.test(name) || (registration && OF_NEW_KEY.test(name))
}
