import { ArrowUpRight, Download, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useBenchNow, useBenchPart, useTools } from '../bench/use-bench.ts'
import { readWorkspaceFile, saveFile, workspaceFileName } from '../ui/files.ts'
import { BUTTON, Button, FileButton, Form, IconButton, Problem, TextField } from '../ui/primitives.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useRepeatedQuery, useRunAction } from '../ui/use-asked.ts'
import { Table } from './table.tsx'
import styles from './workspaces-page.module.css'

/** Separate benches, so that parallel tests do not interfere. */
export const WorkspacesPage = () => {
  const words = texts.console.workspacesPage
  const overview = useBenchPart((state) => state.overview)
  const { act, problem } = useRunAction()
  const [id, setId] = useState('')
  const [seed, setSeed] = useState('')
  const [answer, again] = useRepeatedQuery((client) => client.workspace('main').call('workspaces.list'))
  const make = async () => {
    const body = { ...(id === '' ? {} : { id }), ...(seed === '' ? {} : { seed: Number(seed) }) }
    again(await act((client) => client.workspace('main').call('workspaces.create', { body })))
    setId('')
  }
  return (
    <>
      <SectionHead of="page" title={texts.console.workspaces} lead={words.lead} />
      <Form className={`${styles.workspaceNew} flex gap-8 mb-8`} onSubmit={make}>
        <TextField name={words.id} placeholder={words.id} width={220} value={id} onText={setId} />
        <TextField name={words.seed} type="number" min={0} placeholder={words.seed} value={seed} onText={setSeed} />
        <Button Icon={Plus} look="primary" type="submit" text={words.make} />
      </Form>
      <Problem problem={problem} />
      <Table heads={[words.workspace, words.seed, words.base, words.events]} actions={words.open}>
        {(answer?.workspaces ?? []).map((each) => (
          <tr key={each.id}>
            <td>{each.id}</td>
            <td className="digits">{each.seed ?? words.random}</td>
            <td>
              <code>{each.base_url}</code>
            </td>
            <td className="digits">{each.last_seq}</td>
            <td>
              {each.id === overview?.workspace ? (
                words.here
              ) : (
                <span className="row gap-8">
                  <a className={BUTTON} data-small href={each.ui_url}>
                    {words.open}
                    <ArrowUpRight size={13} />
                  </a>
                  {each.id === 'main' ? null : (
                    <IconButton
                      Icon={Trash2}
                      name={words.close(each.id)}
                      onClick={() =>
                        void act((client) =>
                          client.workspace('main').call('workspaces.close', { params: { id: each.id } }),
                        ).then(again)
                      }
                    />
                  )}
                </span>
              )}
            </td>
          </tr>
        ))}
      </Table>
      <WorkspaceFile />
    </>
  )
}

const WorkspaceFile = () => {
  const words = texts.console.workspaceFile
  const { api } = useTools()
  const overview = useBenchPart((state) => state.overview)
  const now = useBenchNow()
  const { act, problem } = useRunAction()
  const [chosen, setChosen] = useState<{ readonly name: string; readonly text: string }>()
  const [notice, setNotice] = useState<string>()
  const save = async () => {
    const document = await api.call((client) => client.call('workspace.export'))
    if (!document.ok) return
    const name = workspaceFileName(overview?.workspace ?? 'main', now)
    saveFile(name, JSON.stringify(document.value), 'application/json')
    setNotice(words.saved(name))
  }
  const load = async () => {
    const document = readWorkspaceFile(chosen?.text ?? '')
    if (document === undefined) setNotice(words.notOne)
    else if (await act((client) => client.call('workspace.import', { body: document }))) setNotice(words.loaded)
    else setNotice(undefined)
    setChosen(undefined)
  }
  return (
    <section className="mt-32" aria-label={words.title}>
      <SectionHead title={words.title} lead={words.lead} />
      <div className="flex wraps gap-8 mb-10">
        <Button Icon={Download} onClick={() => void save()} text={words.save} />
        <FileButton
          name={words.file}
          text={words.load}
          accept=".json,.handset"
          onFile={async (file) => {
            setChosen({ name: file.name, text: await file.text() })
            setNotice(undefined)
          }}
        />
        {chosen === undefined ? null : (
          <Button look="danger" onClick={() => void load()} text={words.sure(chosen.name)} />
        )}
      </div>
      <Problem problem={problem} />
      {notice === undefined ? null : (
        <p className="note" role="status">
          {notice}
        </p>
      )}
    </section>
  )
}
