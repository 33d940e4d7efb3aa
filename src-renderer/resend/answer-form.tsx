import { type ReactNode, useState } from 'react'
import type { AnswerSigning } from '../../src-main/core/contract/resending.ts'
import { fromHex, fromUtf8, toHex, utf8 } from '../../src-main/core/protocol/bytes.ts'
import type { Exchange } from '../inspector/exchange-lines.ts'
import type { ResendLinks } from '../inspector/inspector-part.tsx'
import { PartHead } from '../inspector/part.tsx'
import { pageName } from '../session.ts'
import { Form, optionsOf, Segmented, SelectField, TextField, Wrong } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import * as drafts from './answer-draft.ts'
import { formatMembers, type Member, MemberFields, parseMembers } from './member-fields.tsx'
import styles from './resend.module.css'
import { SendBar, TEXT_AREA, useSend } from './send-bar.tsx'

const NAMED = 'middle grid gap-8 label-104'

export const AnswerForm = ({ exchange, ...links }: ResendLinks & { readonly exchange: Exchange }) => {
  const words = texts.resend
  const [before] = useState(() => drafts.createAnswerDraft(exchange.request.body))
  const [draft, setDraft] = useState(before)
  const [signing, setSigning] = useState<AnswerSigning>('anew')
  const [part, setPart] = useState<drafts.BytePart>('authenticatorData')
  const sending = useSend()
  const set = (change: Partial<drafts.AnswerDraft>) => setDraft({ ...draft, ...change })
  const sendable = drafts.isSendable(draft)
  const edits = sendable ? drafts.findEdits(before, draft) : {}
  const count = Object.keys(edits).length + Math.max(0, (edits.client_data?.length ?? 1) - 1)
  const parts = drafts.BYTE_PARTS.filter((name) => before.bytes[name] !== undefined)
  const shown = parts.includes(part) ? part : (parts[0] ?? 'clientDataJSON')
  const send = () => {
    const params = { seq: String(exchange.seq) }
    const body = { edits, signing, asked_by: pageName() }
    void sending.send((client) => client.call('events.answer', { params, body }))
  }
  return (
    <Form className={styles.form} data-part="resend" aria-label={words.answer} onSubmit={send}>
      <div className={`${styles.columns} grid shortens`}>
        <Column title={texts.inspector.partTitles.clientDataJSON}>
          <MemberFields
            label={words.members}
            pairs={draft.members}
            onChange={(members) => setDraft(withMembers(draft, members))}
            unitOf={({ name }) => (name === 'challenge' ? <span className="small faint">{words.fresh}</span> : null)}
          />
        </Column>
        <AuthenticatorFields draft={draft} onChange={setDraft} />
        <Column title={words.bytes}>
          <label className={NAMED}>
            <span className="small muted">{words.credentialId}</span>
            <TextField mono value={draft.credentialId} onText={(text) => set({ credentialId: text })} />
          </label>
          {before.userHandle === undefined ? null : (
            <label className={NAMED}>
              <span className="small muted">{texts.inspector.partTitles.userHandle}</span>
              <TextField mono value={draft.userHandle ?? ''} onText={(text) => set({ userHandle: text })} />
            </label>
          )}
          {parts.length === 0 ? null : (
            <>
              <SelectField
                name={texts.inspector.parts}
                value={shown}
                options={optionsOf(parts, texts.inspector.partTitles)}
                onPick={setPart}
              />
              <HexArea
                rows={6}
                name={words.bytesOf(texts.inspector.partTitles[shown])}
                value={draft.bytes[shown] ?? ''}
                onChange={(text) => setDraft(withBytes(draft, shown, text))}
              />
              <small className="note">{words.bytesHelp}</small>
            </>
          )}
        </Column>
      </div>
      <SendBar
        original={exchange}
        edits={count}
        edited={draft !== before}
        sendable={sendable}
        sending={sending}
        onUndo={() => setDraft(before)}
        {...links}
      >
        <Segmented
          name={words.signing}
          value={signing}
          options={optionsOf(['anew', 'kept'], words.answerSignings)}
          onPick={setSigning}
        />
      </SendBar>
    </Form>
  )
}

const Column = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={`${styles.column} shrinks scrolls`} aria-label={title}>
    <PartHead title={title} />
    <div className={styles.fields}>{children}</div>
  </section>
)

/** Flags of WebAuthn §6.1, from the lowest bit. */
const FLAGS = ['UP', 'RFU1', 'UV', 'BE', 'BS', 'RFU2', 'AT', 'ED'] as const

type AuthenticatorFieldsProps = {
  readonly draft: drafts.AnswerDraft
  readonly onChange: (draft: drafts.AnswerDraft) => void
}

const AuthenticatorFields = ({ draft, onChange }: AuthenticatorFieldsProps) => {
  const words = texts.resend
  const { flags, counter, hex } = draft
  const set = (change: Parameters<typeof withFields>[1]) => onChange(withFields(draft, change))
  return (
    <Column title={texts.inspector.partTitles.authenticatorData}>
      {flags === undefined ? (
        <p className="note">{words.noFields}</p>
      ) : (
        <fieldset className="flex wraps gap-4-12 borderless">
          <legend className="small muted">{words.flags}</legend>
          {FLAGS.map((name, bit) => (
            <label className="row small gap-5 min-h-24" key={name} title={texts.inspector.flags[name]}>
              <input
                type="checkbox"
                checked={(flags & (1 << bit)) !== 0}
                onChange={() => set({ flags: flags ^ (1 << bit) })}
              />
              <code>{name}</code>
            </label>
          ))}
        </fieldset>
      )}
      {counter === undefined ? null : (
        <label className={NAMED}>
          <span className="small muted">{texts.console.credentials.counter}</span>
          <TextField
            wrong={!drafts.isCounter(counter)}
            unit={words.fresh}
            mono
            inputMode="numeric"
            value={counter}
            onText={(text) => set({ counter: text.trim() })}
          />
        </label>
      )}
      {drafts.HEX_FIELDS.map((name) => {
        const value = hex[name]
        if (value === undefined) return null
        return (
          <div key={name} className={NAMED}>
            <span className="small muted" aria-hidden="true">
              {words.hexFields[name]}
            </span>
            <HexArea
              name={words.hexFields[name]}
              value={value}
              onChange={(text) => set({ hex: { ...hex, [name]: text } })}
            />
          </div>
        )
      })}
    </Column>
  )
}

type Fields = Pick<drafts.AnswerDraft, 'hex' | 'flags' | 'counter'>

/** Replaces a part's bytes and updates the fields decoded from them. */
export const withBytes = (draft: drafts.AnswerDraft, part: drafts.BytePart, text: string): drafts.AnswerDraft => {
  const next = { ...draft, bytes: { ...draft.bytes, [part]: text }, typed: { ...draft.typed, [part]: true } }
  const bytes = fromHex(drafts.plainHex(text) ?? '')
  if (!bytes.ok) return next
  if (part === 'clientDataJSON') return { ...next, members: parseMembers(fromUtf8(bytes.value) ?? '') ?? [] }
  if (part !== 'authenticatorData') return next
  const { flags: _, counter: __, rest: ___, ...others } = next
  return { ...others, ...drafts.decodeFields(bytes.value) }
}

export const withMembers = (draft: drafts.AnswerDraft, members: readonly Member[]): drafts.AnswerDraft => ({
  ...draft,
  members,
  bytes: { ...draft.bytes, clientDataJSON: toHex(utf8(formatMembers(members))) },
})

/** Replaces fields of the authenticator data and recomputes its bytes, unless a field is invalid. */
export const withFields = (draft: drafts.AnswerDraft, change: Partial<Fields>): drafts.AnswerDraft => {
  const next = { ...draft, ...change }
  const authenticatorData = bytesOf(next)
  return authenticatorData === undefined ? next : { ...next, bytes: { ...next.bytes, authenticatorData } }
}

const bytesOf = ({ hex, flags, counter, rest = '' }: drafts.AnswerDraft): string | undefined => {
  if (flags === undefined || counter === undefined || !drafts.isCounter(counter)) return undefined
  if (!drafts.HEX_FIELDS.every((name) => drafts.isHex(hex[name] ?? ''))) return undefined
  const of = (name: keyof typeof hex) => drafts.plainHex(hex[name]) ?? ''
  const id = of('attestedId')
  const attested = hex.aaguid === undefined ? '' : of('aaguid') + hexOf(id.length / 2, 2) + id + of('publicKey')
  return of('rpIdHash') + hexOf(flags, 1) + hexOf(Number(counter), 4) + attested + rest
}

const hexOf = (number: number, octets: number): string => number.toString(16).padStart(2 * octets, '0')

type HexAreaProps = {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows?: number
}

const HexArea = ({ name, value, onChange, rows = 2 }: HexAreaProps) => {
  const wrong = !drafts.isHex(value)
  return (
    <span className={`${styles.hex} grid narrows`}>
      <textarea
        className={`${TEXT_AREA} wide min-h-32`}
        aria-label={name}
        aria-invalid={wrong}
        rows={rows}
        value={value}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <Wrong className="" text={wrong ? texts.resend.noHex : undefined} />
    </span>
  )
}
