import { ScrollText } from 'lucide-react'
import { isFinal } from '../../src-main/core/protocol/message-state.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import { useTools } from '../bench/use-bench.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { language } from '../ui/language.ts'
import { texts } from '../ui/texts.ts'

/** Copies an attempt that has ended as a file for `handset run`. */
export const CopyScenarioButton = ({ message: { msgId, state } }: { readonly message: Message }) => {
  const { api } = useTools()
  if (!isFinal(state)) return null
  const scenario = async (): Promise<string> => {
    const query = { msg_id: msgId, language }
    const made = await api.call((client) => client.call('events.scenario', { query }))
    return made.ok ? made.value.scenario : Promise.reject(made.error)
  }
  return <CopyButton name={texts.inspector.copyScenario} text={scenario} Icon={ScrollText} command="copy-scenario" />
}
