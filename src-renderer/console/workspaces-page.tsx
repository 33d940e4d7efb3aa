import { ArrowUpRight, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useBenchPart } from '../bench/use-bench.ts'
import buttonStyles from '../ui/button.module.css'
import { Button, IconButton } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'
import consolePageStyles from './console-page.module.css'
import tableStyles from './table.module.css'
import { WorkspaceFile } from './workspace-file.tsx'
import styles from './workspaces-page.module.css'

/** Separate benches, so that parallel tests do not interfere. */
export const WorkspacesPage = () => {
  const words = texts.console.workspacesPage
  const overview = useBenchPart((state) => state.overview)
  const { act, problem } = useAct()
  const [asked, setAsked] = useState(0)
  const [id, setId] = useState('')
  const [seed, setSeed] = useState('')
  const answer = useAsked((client) => client.workspace('main').call('workspaces.list'), String(asked))
  const again = (done: boolean) => done && setAsked((n) => n + 1)
  const make = async () => {
    const body = { ...(id === '' ? {} : { id }), ...(seed === '' ? {} : { seed: Number(seed) }) }
    again(await act((client) => client.workspace('main').call('workspaces.create', { body })))
    setId('')
  }
  return (
    <>
      <SectionHead of="page" title={words.title} />
      <p className={consolePageStyles.lead}>{words.lead}</p>
      <form
        className={styles.workspaceNew}
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <label className="field">
          <input
            aria-label={words.id}
            placeholder={words.id}
            value={id}
            spellCheck={false}
            onChange={(event) => setId(event.target.value)}
          />
        </label>
        <label className="field">
          <input
            type="number"
            min={0}
            aria-label={words.seed}
            placeholder={words.seed}
            value={seed}
            onChange={(event) => setSeed(event.target.value)}
          />
        </label>
        <Button look="primary" type="submit">
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.make}
        </Button>
      </form>
      <Problem problem={problem} />
      <div className={tableStyles.room} data-part="table-room">
        <table className={tableStyles.keys}>
          <thead>
            <tr>
              <th scope="col">{words.workspace}</th>
              <th scope="col">{words.seed}</th>
              <th scope="col">{words.base}</th>
              <th scope="col">{words.events}</th>
              <th scope="col">
                <span className="unseen">{words.open}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {(answer?.workspaces ?? []).map((each) => (
              <tr key={each.id}>
                <td className={tableStyles.strong}>{each.id}</td>
                <td className="num">{each.seed ?? words.random}</td>
                <td>
                  <code>{each.base_url}</code>
                </td>
                <td className="num">{each.last_seq}</td>
                <td>
                  {each.id === overview?.workspace ? (
                    words.here
                  ) : (
                    <span className={consolePageStyles.keyState}>
                      <a className={buttonStyles.btn} data-small href={each.ui_url}>
                        {words.open}
                        <ArrowUpRight size={13} strokeWidth={1.75} aria-hidden="true" />
                      </a>
                      {each.id === 'main' ? null : (
                        <IconButton
                          small
                          name={words.close(each.id)}
                          onClick={() =>
                            void act((client) =>
                              client.workspace('main').call('workspaces.close', { params: { id: each.id } }),
                            ).then(again)
                          }
                        >
                          <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
                        </IconButton>
                      )}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <WorkspaceFile />
    </>
  )
}
