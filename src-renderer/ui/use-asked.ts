import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import type { ApiProblem } from '../api.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'

/** The bench's answer to a question, asked again whenever a setting changed. */
export const useAsked = <T>(ask: (client: ControlClient) => Promise<T>, key = ''): T | undefined => {
  const { api } = useTools()
  const settings = useBenchPart((state) => state.settings)
  const connection = useBenchPart((state) => state.connection)
  const [answer, setAnswer] = useState<{ readonly key: string; readonly value: T }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for `ask`.
  useEffect(() => {
    if (connection !== 'live') return
    let current = true
    void api.call(ask).then((result) => {
      if (current && result.ok) setAnswer({ key, value: result.value })
    })
    return () => {
      current = false
    }
  }, [api, key, settings, connection])
  return answer?.key === key ? answer.value : undefined
}

export type Act = (ask: (client: ControlClient) => Promise<unknown>) => Promise<boolean>

export const useAct = (): { readonly act: Act; readonly problem: ApiProblem | undefined } => {
  const { api } = useTools()
  const [problem, setProblem] = useState<ApiProblem>()
  const act = useCallback<Act>(
    async (ask) => {
      setProblem(undefined)
      const result = await whileAsking(api.call(ask))
      if (!result.ok) setProblem(result.error)
      return result.ok
    },
    [api],
  )
  return { act, problem }
}

let asked = 0
const listeners = new Set<() => void>()

const count = (by: 1 | -1): void => {
  asked += by
  for (const listener of listeners) listener()
}

/** Counts requests of the user that the bench has not answered. */
export const whileAsking = async <T>(work: Promise<T>): Promise<T> => {
  count(1)
  try {
    return await work
  } finally {
    count(-1)
  }
}

export const useAsking = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked > 0,
  )
