import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { RouteId } from '../../src-main/core/contract/control/routes.ts'
import type { CallArguments, ControlClient } from '../../src-main/sdk/client.ts'
import type { ApiProblem } from '../api.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { createShared, whenDone } from './effects.ts'

/** The bench's answer to a question, asked again whenever a setting changed. */
export const useQuery = <T>(ask: (client: ControlClient) => Promise<T>, key = ''): T | undefined => {
  const { api } = useTools()
  const settings = useBenchPart((state) => state.settings)
  const connection = useBenchPart((state) => state.connection)
  const [answer, setAnswer] = useState<{ readonly key: string; readonly value: T }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for `ask`.
  useEffect(() => {
    if (connection !== 'live') return
    return whenDone(api.call(ask), (result) => {
      if (result.ok) setAnswer({ key, value: result.value })
    })
  }, [api, key, settings, connection])
  return answer?.key === key ? answer.value : undefined
}

/** Like `useQuery`, with a function that asks again if an action has succeeded, and returns that outcome. */
export const useRepeatedQuery = <T>(ask: (client: ControlClient) => Promise<T>, key: string | number = '') => {
  const [times, setTimes] = useState(0)
  const again = (done: boolean): boolean => {
    if (done) setTimes((n) => n + 1)
    return done
  }
  return [useQuery(ask, `${times} ${key}`), again] as const
}

export type RunAction = (ask: (client: ControlClient) => Promise<unknown>) => Promise<boolean>

/** A call whose result is ignored, unless it is a refusal. */
type Send = <Id extends RouteId>(id: Id, ...inputs: CallArguments<Id>) => void

/** The calls of one part of the page, and the problem of the latest. */
export const useCalls = (track: typeof trackRequest = untracked) => {
  const { api } = useTools()
  const [running, setRunning] = useState(0)
  const [problem, setProblem] = useState<ApiProblem>()
  const call = useCallback(
    async <T>(ask: (client: ControlClient) => Promise<T>) => {
      setProblem(undefined)
      setRunning((count) => count + 1)
      const result = await track(api.call(ask))
      setRunning((count) => count - 1)
      if (!result.ok) setProblem(result.error)
      return result
    },
    [api, track],
  )
  const send: Send = (id, ...inputs) => void call((client) => client.call(id, ...inputs))
  return { call, send, busy: running > 0, problem, setProblem }
}

/** Calls that the page's bar shows while they last. */
export const useRunAction = () => {
  const { call, ...calls } = useCalls(trackRequest)
  const act = useCallback<RunAction>(async (ask) => (await call(ask)).ok, [call])
  return { ...calls, act }
}

const untracked = <T>(work: Promise<T>): Promise<T> => work

const asked = createShared(0)

/** Counts requests of the user that the bench has not answered. */
export const trackRequest = async <T>(work: Promise<T>): Promise<T> => {
  asked.set(asked.get() + 1)
  try {
    return await work
  } finally {
    asked.set(asked.get() - 1)
  }
}

export const useIsBusy = (): boolean => useSyncExternalStore(asked.subscribe, () => asked.get() > 0)
