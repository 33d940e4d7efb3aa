import type { ReactNode } from 'react'
import styles from './table.module.css'

type TableProps = {
  readonly heads: readonly string[]
  /** Names the last column, whose buttons speak for themselves. */
  readonly actions: string
  readonly children: ReactNode
}

/** Rows of things, each with its actions at the end; it scrolls sideways in a narrow room. */
export const Table = ({ heads, actions, children }: TableProps) => (
  <div className={`${styles.room} relative`} data-part="table-room">
    <table className={`${styles.keys} wide mt-8`}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th scope="col">
            <span className="unseen">{actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
