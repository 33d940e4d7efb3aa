import { Cloud, Cpu, Trash2 } from 'lucide-react'
import { algorithmName } from '../../src-main/explain/algorithms.ts'
import { IconButton } from '../ui/button.tsx'
import { shortDate } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'

/** The passkeys that users have with this RP. */
export const Credentials = ({ rpId }: { readonly rpId: string }) => {
  const words = texts.console.credentials
  const { act } = useAct()
  const answer = useAsked((client) => client.call('credentials.list', { query: { rp: rpId } }), rpId)
  if (answer === undefined) return null
  return (
    <section aria-label={words.title}>
      <div className="section-head">
        <h3>{words.title}</h3>
      </div>
      {answer.credentials.length === 0 ? (
        <p className="note">{words.none}</p>
      ) : (
        <div className="table-room">
          <table className="keys">
            <thead>
              <tr>
                <th scope="col">{words.name}</th>
                <th scope="col">{words.user}</th>
                <th scope="col">{words.kept}</th>
                <th scope="col">{words.algorithm}</th>
                <th scope="col">{words.counter}</th>
                <th scope="col">{words.created}</th>
                <th scope="col">
                  <span className="unseen">{words.remove}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {answer.credentials.map((each) => {
                const Icon = each.storage === 'cloud' ? Cloud : Cpu
                return (
                  <tr key={each.id}>
                    <td className="strong">{each.name}</td>
                    <td>{each.user_id}</td>
                    <td>
                      <span className="key-state">
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
                      <IconButton
                        small
                        name={words.delete(each.name)}
                        onClick={() =>
                          void act((client) => client.call('credentials.delete', { params: { id: each.id } }))
                        }
                      >
                        <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
                      </IconButton>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
