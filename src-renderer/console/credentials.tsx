import { Cloud, Cpu, Trash2 } from 'lucide-react'
import { algorithmName } from '../../src-main/core/judge/algorithms.ts'
import { IconButton } from '../ui/button.tsx'
import { useDeletions } from '../ui/deletions.tsx'
import { shortDate } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'
import consolePageStyles from './console-page.module.css'
import tableStyles from './table.module.css'
import { Table } from './table.tsx'

/** The passkeys that users have with this RP. */
export const Credentials = ({ rpId }: { readonly rpId: string }) => {
  const words = texts.console.credentials
  const { act, problem } = useAct()
  const { remove } = useDeletions()
  const answer = useAsked((client) => client.call('credentials.list', { query: { rp: rpId } }), rpId)
  if (answer === undefined) return null
  const drop = ({ id, name }: (typeof answer.credentials)[number]) => {
    const params = { id }
    return remove({
      name,
      run: () => act((client) => client.call('credentials.delete', { params })),
      undo: (client) => client.call('credentials.undelete', { params, body: {} }),
    })
  }
  return (
    <section aria-label={words.title}>
      <SectionHead title={words.title} />
      <Problem problem={problem} />
      {answer.credentials.length === 0 ? (
        <p className="note">{words.none}</p>
      ) : (
        <Table
          heads={[words.name, words.user, words.kept, words.algorithm, words.counter, words.created]}
          actions={words.remove}
        >
          {answer.credentials.map((each) => {
            const Icon = each.storage === 'cloud' ? Cloud : Cpu
            return (
              <tr key={each.id}>
                <td className={tableStyles.strong}>{each.name}</td>
                <td>{each.user_id}</td>
                <td>
                  <span className={consolePageStyles.keyState}>
                    <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
                    {texts.phone.storage[each.storage]}
                  </span>
                </td>
                <td>
                  <code>{typeof each.algorithm === 'number' ? algorithmName(each.algorithm) : each.algorithm}</code>
                </td>
                <td className="num">{each.counter}</td>
                <td>{shortDate(each.created_at)}</td>
                <td>
                  <IconButton small name={words.delete(each.name)} onClick={() => void drop(each)}>
                    <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
                  </IconButton>
                </td>
              </tr>
            )
          })}
        </Table>
      )}
    </section>
  )
}
