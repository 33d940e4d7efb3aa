import { Bug } from 'lucide-react'
import { useTools } from '../bench/use-bench.ts'
import type { CommandId } from '../palette/desk.ts'
import { CopyButton } from './copy-button.tsx'
import { saveFile } from './files.ts'
import { texts } from './texts.ts'

type BugReportButtonProps = {
  readonly name: string
  readonly about: { readonly msg_id: string } | { readonly seq: number }
  readonly iconOnly?: boolean
  readonly command?: CommandId
}

export const BugReportButton = ({ about, ...more }: BugReportButtonProps) => {
  const { api } = useTools()
  const report = async (): Promise<string> => {
    const made = await api.call((client) => client.call('events.agent-report', { query: about }))
    if (!made.ok) return Promise.reject(made.error)
    saveFile(made.value.file, made.value.markdown, 'text/markdown')
    return made.value.markdown
  }
  return <CopyButton {...more} text={report} Icon={Bug} said={texts.bugReport.said} />
}
