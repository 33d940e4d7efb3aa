import { useState } from 'react'
import type { Data } from '../../src-main/core/contract/control/routes.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import type { ApiProblem } from '../api.ts'
import { useTools } from '../bench/use-bench.ts'
import { whileAsking } from '../ui/asking.ts'

/** The answer: of a request, or of a phone's answer. */
export type Sent = Data<'events.resend'> | Data<'events.answer'>

/** Sends, and keeps the result. */
export const useSend = () => {
  const { api } = useTools()
  const [sending, setSending] = useState(false)
  const [sent, setSent] = useState<Sent>()
  const [problem, setProblem] = useState<ApiProblem>()
  const send = async (ask: (client: ControlClient) => Promise<Sent>): Promise<void> => {
    setSending(true)
    setProblem(undefined)
    setSent(undefined)
    const result = await whileAsking(api.call(ask))
    setSending(false)
    if (result.ok) setSent(result.value)
    else setProblem(result.error)
  }
  return { sending, sent, problem, send }
}
