import { useState } from 'react'
import { RESEND_SIGNINGS, type ResendSigning, UNSENDABLE_HEADERS } from '../../src-main/core/contract/resending.ts'
import { MASK } from '../../src-main/core/protocol/log.ts'
import type { Exchange } from '../inspector/exchange-lines.ts'
import type { ResendLinks } from '../inspector/inspector-part.tsx'
import partStyles from '../inspector/part.module.css'
import { PartHead } from '../inspector/part.tsx'
import { Form, optionsOf, Segmented, SelectField, TextField } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { formatMembers, type Member, MemberFields, type NamedValue, PairList, parseMembers } from './member-fields.tsx'
import styles from './resend.module.css'
import { SendBar, TEXT_AREA, useSend } from './send-bar.tsx'

type RequestDraft = {
  readonly method: string
  readonly target: string
  readonly headers: readonly NamedValue[]
  readonly body: string
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** Headers that Handset generates, unless the old signature is kept. */
const OF_SIGNING = ['x-svc-date', 'authorization']

const draftOf = ({ request: { method, target, headers, body } }: Exchange): RequestDraft => ({
  method,
  target,
  headers: headers.flatMap(([name, value], id) =>
    UNSENDABLE_HEADERS.some((each) => each === name.toLowerCase()) || value === MASK ? [] : [{ id, name, value }],
  ),
  body,
})

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
    <Form className={styles.form} data-part="resend" aria-label={words.request} onSubmit={send}>
      <div className={`${partStyles.wireParts} ${styles.parts} grid shortens`}>
        <div className={partStyles.wirePart}>
          <PartHead title={words.lineAndHeaders} />
          <div className={styles.fields}>
            <div className="grid label-96 gap-6">
              <SelectField
                name={words.method}
                value={draft.method}
                options={[...new Set([draft.method, ...METHODS])].map((value) => ({ value, text: value }))}
                onPick={(method) => set({ method })}
              />
              <TextField name={words.target} mono value={draft.target} onText={(text) => set({ target: text })} />
            </div>
            <PairList
              label={texts.inspector.headers}
              words={{ name: words.headerName, value: words.headerValue, add: words.addHeader }}
              pairs={draft.headers}
              shown={shown}
              empty={{ name: '', value: '' }}
              onChange={(headers) => set({ headers })}
            />
          </div>
        </div>
        <BodyFields body={draft.body} onBody={(body) => set({ body })} />
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
        <SelectField
          name={words.signing}
          width={200}
          value={signing}
          options={optionsOf(RESEND_SIGNINGS, words.signings)}
          onPick={setSigning}
        />
        <small className="muted">{words.expects[signing]}</small>
      </SendBar>
    </Form>
  )
}

type BodyFieldsProps = { readonly body: string; readonly onBody: (body: string) => void }

const BodyFields = ({ body, onBody }: BodyFieldsProps) => {
  const words = texts.resend
  const [members, setMembers] = useState<readonly Member[]>()
  const found = parseMembers(body)
  const shown = members !== undefined && formatMembers(members) === formatMembers(found ?? []) ? members : found
  return (
    <div className={partStyles.wirePart}>
      <PartHead title={texts.inspector.body}>
        {found === undefined ? null : (
          <span className="push-right">
            <Segmented
              name={words.bodyAs}
              value={members === undefined ? 'text' : 'fields'}
              options={optionsOf(['text', 'fields'], words.bodyForms)}
              onPick={(as) => setMembers(as === 'fields' ? found : undefined)}
            />
          </span>
        )}
      </PartHead>
      {members === undefined || shown === undefined ? (
        <textarea
          className={`${styles.body} ${TEXT_AREA} grow min-h-96 m-0-16-12`}
          aria-label={texts.inspector.body}
          value={body}
          spellCheck={false}
          onChange={(event) => onBody(event.target.value)}
        />
      ) : (
        <div className={styles.fields}>
          <MemberFields
            label={texts.inspector.body}
            pairs={shown}
            onChange={(next) => {
              setMembers(next)
              onBody(formatMembers(next))
            }}
          />
        </div>
      )}
    </div>
  )
}
