import { type TraceHeader, traceNotesOf } from '../../src-main/core/contract/trace.ts'
import { messages } from '../ui/messages.ts'
import styles from './trace-notes.module.css'

export const TraceNotes = ({ header }: { readonly header: TraceHeader }) => {
  const notes = traceNotesOf(header)
  if (notes.length === 0 && header.note === undefined) return null
  return (
    <div className={`${styles.notes} grid rigid line-below muted gap-2`} role="note">
      {notes.map((code) => (
        <p className="row gap-6 breaks" key={code} data-note={code}>
          {messages.traceNotes[code]}
        </p>
      ))}
      {header.note === undefined ? null : <p className="row gap-6 breaks">{header.note}</p>}
    </div>
  )
}
