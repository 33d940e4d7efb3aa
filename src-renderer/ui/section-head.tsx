import type { ReactNode } from 'react'
import { PageLink } from './page-link.tsx'
import styles from './section-head.module.css'

type SectionHeadProps = {
  readonly title: string
  /** A page and a panel are further out than a part. */
  readonly of?: 'page' | 'panel' | 'part'
  readonly children?: ReactNode
}

export const SectionHead = ({ title, of = 'part', children }: SectionHeadProps) => (
  <div className={of === 'page' ? `${styles.head} ${styles.page}` : styles.head} data-part="section-head">
    {of === 'part' ? <h3>{title}</h3> : <h2>{title}</h2>}
    {of === 'page' ? <PageLink title={title} /> : null}
    {children}
  </div>
)
