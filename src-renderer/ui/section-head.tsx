import { Link } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './section-head.module.css'
import { texts } from './texts.ts'

type SectionHeadProps = {
  readonly title: string
  /** Level of the heading; pages and panels contain parts. */
  readonly of?: 'page' | 'panel' | 'part'
  /** The section's subject in a sentence, below its head. */
  readonly lead?: string
  readonly children?: ReactNode
}

export const SectionHead = ({ title, of = 'part', lead, children }: SectionHeadProps) => {
  const Heading = of === 'part' ? 'h3' : 'h2'
  return (
    <>
      <div className={of === 'page' ? `${styles.head} ${styles.page} wraps` : styles.head} data-part="section-head">
        <Heading className={of === 'page' ? 'page-title' : 'part-title'}>{title}</Heading>
        {of === 'page' ? <PageLink title={title} /> : null}
        {children}
      </div>
      {lead === undefined ? null : <p className="muted max-w-680 m-2-0-16 pretty">{lead}</p>}
    </>
  )
}

export const PageLink = ({ title }: { readonly title: string }) => (
  <CopyButton iconOnly name={texts.console.linkOf(title)} text={() => location.href} Icon={Link} />
)
