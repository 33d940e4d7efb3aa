import { useState } from 'react'
import type { AnswerSigning } from '../../src-main/core/contract/resending.ts'
import type { Exchange } from '../inspector/exchange-lines.ts'
import type { ResendLinks } from '../inspector/inspector-part.tsx'
import partStyles from '../inspector/part.module.css'
import { pageName } from '../session.ts'
import { Segmented } from '../ui/segmented.tsx'
import { texts } from '../ui/texts.ts'
import { type AnswerDraft, BYTE_PARTS, type BytePart, draftOf, editsOf, isSendable } from './answer-draft.ts'
import { AuthenticatorFields } from './authenticator-fields.tsx'
import { withBytes, withMembers } from './draft-changes.ts'
import { HexArea } from './hex-area.tsx'
import { MemberFields } from './member-fields.tsx'
import styles from './resend.module.css'
import { SendBar } from './send-bar.tsx'
import { useSend } from './use-send.ts'

/** A form that has a phone answer again, with edits. */
export const AnswerForm = ({ exchange, ...links }: ResendLinks & { readonly exchange: Exchange }) => {
  const words = texts.resend
  const [before] = useState(() => draftOf(exchange.request.body))
  const [draft, setDraft] = useState(before)
  const [signing, setSigning] = useState<AnswerSigning>('anew')
  const [part, setPart] = useState<BytePart>('authenticatorData')
  const sending = useSend()
  const set = (change: Partial<AnswerDraft>) => setDraft({ ...draft, ...change })
  const sendable = isSendable(draft)
  const edits = sendable ? editsOf(before, draft) : {}
  const count = Object.keys(edits).length + Math.max(0, (edits.client_data?.length ?? 1) - 1)
  const parts = BYTE_PARTS.filter((name) => before.bytes[name] !== undefined)
  const shown = parts.includes(part) ? part : (parts[0] ?? 'clientDataJSON')
  const send = () => {
    const params = { seq: String(exchange.seq) }
    const body = { edits, signing, asked_by: pageName() }
    void sending.send((client) => client.call('events.answer', { params, body }))
  }
  return (
    <form
      className={styles.form}
      data-part="resend"
      aria-label={words.answer}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className={styles.columns}>
        <section className={styles.column} aria-label={texts.inspector.partTitles.clientDataJSON}>
          <h3 className={partStyles.head} data-part="part-head">
            {texts.inspector.partTitles.clientDataJSON}
          </h3>
          <div className={styles.fields}>
            <MemberFields
              label={words.members}
              members={draft.members}
              onChange={(members) => setDraft(withMembers(draft, members))}
              unitOf={({ name }) => (name === 'challenge' ? <span className="unit">{words.fresh}</span> : null)}
            />
          </div>
        </section>
        <AuthenticatorFields draft={draft} onChange={setDraft} />
        <section className={styles.column} aria-label={words.bytes}>
          <h3 className={partStyles.head} data-part="part-head">
            {words.bytes}
          </h3>
          <div className={styles.fields}>
            <label className={styles.named}>
              <span>{words.credentialId}</span>
              <span className="field">
                <input
                  className="mono"
                  value={draft.credentialId}
                  spellCheck={false}
                  onChange={(event) => set({ credentialId: event.target.value })}
                />
              </span>
            </label>
            {before.userHandle === undefined ? null : (
              <label className={styles.named}>
                <span>{texts.inspector.partTitles.userHandle}</span>
                <span className="field">
                  <input
                    className="mono"
                    value={draft.userHandle ?? ''}
                    spellCheck={false}
                    onChange={(event) => set({ userHandle: event.target.value })}
                  />
                </span>
              </label>
            )}
            {parts.length === 0 ? null : (
              <>
                <label className="field">
                  <select
                    aria-label={texts.inspector.parts}
                    value={shown}
                    onChange={(event) => setPart(parts.find((each) => each === event.target.value) ?? shown)}
                  >
                    {parts.map((name) => (
                      <option key={name} value={name}>
                        {texts.inspector.partTitles[name]}
                      </option>
                    ))}
                  </select>
                </label>
                <HexArea
                  rows={6}
                  name={words.bytesOf(texts.inspector.partTitles[shown])}
                  value={draft.bytes[shown] ?? ''}
                  onChange={(text) => setDraft(withBytes(draft, shown, text))}
                />
                <small className="note">{words.bytesHelp}</small>
              </>
            )}
          </div>
        </section>
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
          options={(['anew', 'kept'] as const).map((value) => ({ value, text: words.answerSignings[value] }))}
          onPick={setSigning}
        />
      </SendBar>
    </form>
  )
}
