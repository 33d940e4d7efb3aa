import { useId } from 'react'
import type { Inspection, Wanted } from '../../src-main/views/inspect/inspection.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { texts } from '../ui/texts.ts'
import styles from './given-fields.module.css'
import { type GivenField, type GivenTexts, giveForVerdict } from './inspected.ts'

type GivenFieldsProps = {
  readonly found: Inspection
  readonly given: GivenTexts
  readonly wrong: ReadonlySet<GivenField>
}

/** Values that a verdict needs, or that make it stricter: the verdict follows as they are filled in. */
export const GivenFields = ({ found, given, wrong }: GivenFieldsProps) => {
  const words = texts.inspect
  const all = withInner(found)
  const missing = all.flatMap((each) => each.missing)
  const fields = new Set(all.flatMap(({ kind }) => FIELDS[kind] ?? []))
  const needed = new Set(missing.flatMap((wanted) => NEEDS[wanted]))
  if (fields.size === 0 && missing.length === 0) return null
  return (
    <section className={styles.given} aria-label={words.forVerdict}>
      <h2>{words.forVerdict}</h2>
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

/** A request needs its secret, and the answer in its body its options. */
const withInner = (found: Inspection): readonly Inspection[] => [found, ...found.within.flatMap(withInner)]

const FIELDS: Readonly<Partial<Record<Inspection['kind'], readonly GivenField[]>>> = {
  'registration-response': ['options', 'origin', 'rpId', 'roots'],
  'authentication-response': ['options', 'origin', 'publicKey', 'rpId', 'signCount'],
  'http-request': ['accessKeyId', 'secret'],
  'curl-command': ['accessKeyId', 'secret'],
  ...{ jws: ['publicKey'], 'metadata-blob': ['publicKey'] },
  ...{ certificate: ['roots'], 'certificate-chain': ['roots'] },
  ...{ 'attestation-object': ['rpId'], 'authenticator-data': ['rpId'], 'signed-data': ['rpId'], digest: ['rpId'] },
}

const NEEDS: Readonly<Record<Wanted, readonly GivenField[]>> = {
  options: ['options'],
  origin: ['origin'],
  'public-key': ['publicKey'],
  'access-key': ['accessKeyId', 'secret'],
  certificate: [],
}

const LARGE: ReadonlySet<GivenField> = new Set(['options', 'publicKey', 'roots'])

type FieldProps = {
  readonly field: GivenField
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
    className: 'mono',
  } as const
  const onText = (text: string) => giveForVerdict(field, text)
  return (
    <div className={styles.field} data-needed={needed || undefined}>
      <label htmlFor={id}>{words.fields[field].name}</label>
      {wrong ? (
        <small id={`${id}-said`} role="alert" data-wrong>
          {words.fields[field].wrong}
        </small>
      ) : needed ? (
        <small id={`${id}-said`}>{words.needed}</small>
      ) : null}
      <div className="field" data-wrong={wrong || undefined} data-large={LARGE.has(field) || undefined}>
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

const SUGGESTED: ReadonlySet<GivenField> = new Set(['origin', 'rpId'])

/** Values of the workspace's RPs. */
const Known = ({ id, field }: { readonly id: string; readonly field: GivenField }) => {
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
