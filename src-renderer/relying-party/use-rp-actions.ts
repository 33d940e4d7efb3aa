import { useState } from 'react'
import { errors } from '../../src-main/core/contract/errors.ts'
import type { ApiProblem } from '../api.ts'
import { useTools } from '../bench/use-bench.ts'
import { pageName } from '../session.ts'

export type RpActions = ReturnType<typeof useRpActions>

/** Each action makes a real signed call, whose exchange then arrives as an event. */
export const useRpActions = (rpId: string, user: { readonly userId: string; readonly username: string }) => {
  const { api } = useTools()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()
  const run = async (ask: Parameters<typeof api.call>[0]) => {
    setBusy(true)
    setProblem(undefined)
    const result = await api.call(ask)
    setBusy(false)
    if (!result.ok && !becameAnExchange(result.error)) setProblem(result.error)
  }
  const params = { rp: rpId }
  const identity = { user_id: user.userId, username: user.username, asked_by: pageName() }
  return {
    register: () => void run((client) => client.call('simulator.register', { params, body: identity })),
    signIn: (method: 'qrcode' | 'push') =>
      void run((client) => client.call('simulator.sign-in', { params, body: { ...identity, method } })),
    busy,
    /** Only a problem without an event: the bench was unreachable. */
    problem,
  }
}

/** True if the page receives the refusal as an exchange; the control interface's own refusals cause none. */
const becameAnExchange = (problem: ApiProblem): boolean => problem.kind === 'refused' && !BENCH_ONLY.has(problem.code)

const BENCH_ONLY: ReadonlySet<number> = new Set(
  [errors.wrong_state, errors.not_found, errors.no_answer, errors.control_token].map(({ code }) => code),
)
