import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { RESEND_SIGNINGS, type ResendSigning, UNSENDABLE_HEADERS } from '../../src-main/contract/resending.ts'
import { MASK } from '../../src-main/protocol/secret.ts'
import type { Exchange } from '../inspector/exchange-lines.ts'
import type { ResendLinks } from '../inspector/inspector-pane.tsx'
import partStyles from '../inspector/part.module.css'
import { Button, IconButton } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import styles from './resend.module.css'
import { SendBar } from './send-bar.tsx'
import { useSend } from './use-send.ts'

type Header = { readonly id: number; readonly name: string; readonly value: string }

type RequestDraft = {
  readonly method: string
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: string
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** Those that Handset writes, unless the old signature is kept. */
const OF_SIGNING = ['x-svc-date', 'authorization']

const draftOf = ({ request: { method, target, headers, body } }: Exchange): RequestDraft => ({
  method,
  target,
  headers: headers.flatMap(([name, value], id) =>
    UNSENDABLE_HEADERS.some((each) => each === name.toLowerCase()) || value === MASK ? [] : [{ id, name, value }],
  ),
  body,
})

/** An RP's request as it was, to be edited and sent again. */
export const RequestForm = ({ exchange, ...links }: ResendLinks & { readonly exchange: Exchange }) => {
  const words = texts.resend
  const [before] = useState(() => draftOf(exchange))
  const [draft, setDraft] = useState(before)
  const [signing, setSigning] = useState<ResendSigning>('anew')
  const sending = useSend()
  const set = (change: Partial<RequestDraft>) => setDraft({ ...draft, ...change })
  const edited = (['method', 'target', 'headers', 'body'] as const).filter(
    (part) => JSON.stringify(draft[part]) !== JSON.stringify(before[part]),
  )
  const shown = draft.headers.filter(
    ({ name }) => signing === 'kept' || !OF_SIGNING.some((each) => each === name.toLowerCase()),
  )
  const setHeader = (id: number, change: Partial<Header>) =>
    set({ headers: draft.headers.map((header) => (header.id === id ? { ...header, ...change } : header)) })
  const send = () => {
    const { method, target, headers, body } = draft
    const parts = {
      method: METHODS.find((each) => each === method) ?? 'GET',
      target,
      headers: headers.map(({ name, value }) => ({ name, value })),
      body,
    }
    const changed = Object.fromEntries(edited.map((part) => [part, parts[part]]))
    const params = { seq: String(exchange.seq) }
    void sending.send((client) => client.call('events.resend', { params, body: { ...changed, signing } }))
  }
  return (
    <form
      className={styles.form}
      data-part="resend"
      aria-label={words.request}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className={`${partStyles.wireParts} ${styles.parts}`}>
        <div className={partStyles.wirePart}>
          <h3 className={partStyles.head} data-part="part-head">
            {words.lineAndHeaders}
          </h3>
          <div className={styles.fields}>
            <div className={styles.line}>
              <label className="field">
                <select
                  aria-label={words.method}
                  value={draft.method}
                  onChange={(event) => set({ method: event.target.value })}
                >
                  {[...new Set([draft.method, ...METHODS])].map((method) => (
                    <option key={method}>{method}</option>
                  ))}
                </select>
              </label>
              <label className="field">
                <input
                  className="mono"
                  aria-label={words.target}
                  value={draft.target}
                  spellCheck={false}
                  autoComplete="off"
                  onChange={(event) => set({ target: event.target.value })}
                />
              </label>
            </div>
            <ul className={styles.list} aria-label={texts.inspector.headers}>
              {shown.map(({ id, name, value }) => (
                <li key={id} className={styles.pair}>
                  <label className="field">
                    <input
                      className="mono"
                      aria-label={words.headerName}
                      value={name}
                      spellCheck={false}
                      onChange={(event) => setHeader(id, { name: event.target.value })}
                    />
                  </label>
                  <label className="field">
                    <input
                      className="mono"
                      aria-label={words.headerValue(name)}
                      value={value}
                      spellCheck={false}
                      onChange={(event) => setHeader(id, { value: event.target.value })}
                    />
                  </label>
                  <IconButton
                    small
                    name={words.remove(name)}
                    onClick={() => set({ headers: draft.headers.filter((header) => header.id !== id) })}
                  >
                    <X size={14} strokeWidth={1.75} aria-hidden="true" />
                  </IconButton>
                </li>
              ))}
            </ul>
            <Button
              look="ghost"
              small
              onClick={() => set({ headers: [...draft.headers, { id: nextId(draft.headers), name: '', value: '' }] })}
            >
              <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
              {words.addHeader}
            </Button>
          </div>
        </div>
        <div className={partStyles.wirePart}>
          <h3 className={partStyles.head} data-part="part-head">
            {texts.inspector.body}
          </h3>
          <textarea
            className={styles.body}
            aria-label={texts.inspector.body}
            value={draft.body}
            spellCheck={false}
            onChange={(event) => set({ body: event.target.value })}
          />
        </div>
      </div>
      <SendBar
        original={exchange}
        edits={edited.length}
        edited={draft !== before}
        sendable={draft.headers.every(({ name }) => name !== '')}
        sending={sending}
        onUndo={() => setDraft(before)}
        {...links}
      >
        <label className={`field ${styles.signing}`}>
          <select
            aria-label={words.signing}
            value={signing}
            onChange={(event) => setSigning(RESEND_SIGNINGS.find((each) => each === event.target.value) ?? 'anew')}
          >
            {RESEND_SIGNINGS.map((each) => (
              <option key={each} value={each}>
                {words.signings[each]}
              </option>
            ))}
          </select>
        </label>
        <small className={styles.expects}>{words.expects[signing]}</small>
      </SendBar>
    </form>
  )
}

const nextId = (list: readonly { readonly id: number }[]): number => Math.max(-1, ...list.map(({ id }) => id)) + 1
