import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'

/** There is no way back from it, so it asks once more. */
export const ResetBench = () => {
  const words = texts.console
  const { act } = useAct()
  const [sure, setSure] = useState(false)
  useEffect(() => {
    if (!sure) return
    const timer = setTimeout(() => setSure(false), 5000)
    return () => clearTimeout(timer)
  }, [sure])
  const click = () => {
    if (sure) void act((client) => client.call('workspace.reset', { body: {} }))
    setSure(!sure)
  }
  return (
    <button type="button" data-part="reset-bench" data-sure={sure || undefined} title={words.resetHelp} onClick={click}>
      <RotateCcw size={16} strokeWidth={1.75} aria-hidden="true" />
      {sure ? words.resetSure : words.reset}
    </button>
  )
}
