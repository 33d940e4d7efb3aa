import { type LucideIcon, ShieldX } from 'lucide-react'
import type { HTMLAttributes, ReactNode } from 'react'
import styles from './part.module.css'

type PartHeadProps = { readonly title: string; readonly children?: ReactNode }

export const PartHead = ({ title, children }: PartHeadProps) => (
  <h3 className={`${styles.head} sticky weight-540 bg-surface`} data-part="part-head">
    {title}
    {children}
  </h3>
)

type ExplainedHeadProps = Omit<HTMLAttributes<HTMLElement>, 'title'> & {
  readonly Icon?: LucideIcon
  readonly title?: string | undefined
  /** Follows the explanation. */
  readonly more?: ReactNode
}

/** What went wrong, above its details. */
export const ExplainedHead = ({ Icon = ShieldX, title, more, className, children, ...rest }: ExplainedHeadProps) => (
  <header
    className={className === undefined ? styles.explained : `${styles.explained} ${className}`}
    data-part="explained-head"
    {...rest}
  >
    <Icon size={24} strokeWidth={1.5} />
    <div>
      {title === undefined ? null : <h2 className="title-15 weight-610 pretty">{title}</h2>}
      {children}
    </div>
    {more}
  </header>
)

type ComparedListProps = {
  /** Absent values are left out. */
  readonly rows: readonly (readonly [name: string, value: ReactNode])[]
  readonly className?: string
}

export const ComparedList = ({ rows, className = '' }: ComparedListProps) => (
  <dl className={`${styles.compared} divided rounded-9 outlined ink my-10 ${className}`} data-part="compared">
    {rows.map(([name, value]) =>
      value === undefined ? null : (
        <div className="grid baseline label-84 px-12 py-8" key={name}>
          <dt className="small muted">{name}</dt>
          <dd className="mono-14 breaks">{value}</dd>
        </div>
      ),
    )}
  </dl>
)
