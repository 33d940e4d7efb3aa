import { errors } from '../../src-main/core/contract/errors.ts'
import type { ApiProblem } from '../api.ts'
import { pageName } from '../session.ts'
import { useCalls } from '../ui/use-asked.ts'

export type RpActions = ReturnType<typeof useRpActions>

/** Each action makes a real signed call, whose exchange then arrives as an event. */
export const useRpActions = (rpId: string, user: { readonly userId: string; readonly username: string }) => {
  const { send, busy, problem } = useCalls()
  const params = { rp: rpId }
  const identity = { user_id: user.userId, username: user.username, asked_by: pageName() }
  return {
    register: () => send('simulator.register', { params, body: identity }),
    signIn: (method: 'qrcode' | 'push') => send('simulator.sign-in', { params, body: { ...identity, method } }),
    busy,
    /** Only a problem without an event: the bench was unreachable. */
    problem: problem === undefined || becameAnExchange(problem) ? undefined : problem,
  }
}

/** True if the page receives the refusal as an exchange; the control interface's own refusals cause none. */
const becameAnExchange = (problem: ApiProblem): boolean => problem.kind === 'refused' && !BENCH_ONLY.has(problem.code)

const BENCH_ONLY: ReadonlySet<number> = new Set(
  [errors.wrong_state, errors.not_found, errors.no_answer, errors.control_token].map(({ code }) => code),
)
