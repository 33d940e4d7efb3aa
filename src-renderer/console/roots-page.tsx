import { Download, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTools } from '../bench/use-bench.ts'
import { useDelete, useDeletions } from '../ui/deletions.tsx'
import { saveFile } from '../ui/files.ts'
import { shortDate } from '../ui/format.ts'
import { Button, FileButton, Form, IconButton, Problem, TextField } from '../ui/primitives.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useRepeatedQuery, useRunAction } from '../ui/use-asked.ts'
import styles from './roots-page.module.css'
import tableStyles from './table.module.css'
import { Table } from './table.tsx'

export const RootsPage = () => {
  const words = texts.console.rootsPage
  const { api } = useTools()
  const { act, problem } = useRunAction()
  const { undone } = useDeletions()
  const [name, setName] = useState('')
  const [pem, setPem] = useState('')
  const [answer, again] = useRepeatedQuery((client) => client.call('roots.list'), undone)
  const add = async () => {
    const body = { name: name.trim(), certificate: pem }
    if (!again(await act((client) => client.call('roots.add', { body })))) return
    setName('')
    setPem('')
  }
  const drop = useDelete('roots', act, again)
  const download = async () => {
    const own = await api.call((client) => client.call('roots.export'))
    if (own.ok) saveFile('handset-roots.pem', own.value.pem, 'application/x-pem-file')
  }
  return (
    <>
      <SectionHead of="page" title={texts.console.roots} lead={words.lead}>
        <span className="grow" />
        <Button Icon={Download} onClick={() => void download()} text={words.own} />
      </SectionHead>
      <Form className={`${styles.rootNew} flex wraps gap-8 mb-20`} onSubmit={add}>
        <TextField name={words.name} placeholder={words.name} value={name} onText={setName} />
        <FileButton
          name={words.file}
          text={words.file}
          accept=".pem,.crt,.cer"
          onFile={async (file) => {
            setPem(await file.text())
            if (name === '') setName(file.name.replace(/\.\w+$/, ''))
          }}
        />
        <Button
          Icon={Plus}
          type="submit"
          look="primary"
          disabled={name.trim() === '' || pem.trim() === ''}
          text={words.add}
        />
        <textarea
          className="wide ink bg-surface rounded-7 framed p-8-10"
          aria-label={words.pem}
          placeholder={words.pemShape}
          rows={4}
          spellCheck={false}
          value={pem}
          onChange={(event) => setPem(event.target.value)}
        />
      </Form>
      <Problem problem={problem} />
      {answer === undefined ? null : (
        <Table heads={[words.name, words.subject, words.until]} actions={words.remove} none={words.none}>
          {answer.roots.map((root) => (
            <tr key={root.id}>
              <td>{root.name}</td>
              <td>
                <code className={tableStyles.rootSubject}>{root.subject}</code>
              </td>
              <td>{shortDate(root.not_after)}</td>
              <td>
                <IconButton Icon={Trash2} name={words.removeNamed(root.name)} onClick={() => void drop(root)} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}
