import type { ReactNode } from 'react'
import styles from './table.module.css'

type TableProps = {
  readonly heads: readonly string[]
  /** Accessible name of the last column, which has no visible heading. */
  readonly actions: string
  /** Replaces a table without rows. */
  readonly none?: string | undefined
  readonly children: readonly ReactNode[]
}

const HEAD = 'small faint one-line text-left weight-500 line-below h-30 pr-16'

/** Rows end with their actions; the table scrolls sideways if there is too little room. */
export const Table = ({ heads, actions, none, children }: TableProps) =>
  children.length === 0 && none !== undefined ? (
    <p className="note">{none}</p>
  ) : (
    <div className="relative scrolls-x" data-part="table-room">
      <table className={`${styles.keys} wide mt-8`}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} className={HEAD} scope="col">
                {head}
              </th>
            ))}
            <th className={HEAD} scope="col">
              <span className="unseen">{actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
