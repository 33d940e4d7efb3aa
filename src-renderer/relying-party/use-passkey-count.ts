import { useEffect, useState } from 'react'
import { useBenchPart, useTools } from '../bench/use-bench.ts'

/** A name that changes sooner than that is not asked about. */
const STAYS_MS = 60

/** How many passkeys a user has with an RP; asked again whenever one comes or goes. Undefined: it is not known yet. */
export const usePasskeyCount = (rpId: string, userId: string): number | 'untold' | undefined => {
  const { api } = useTools()
  const settings = useBenchPart((state) => state.settings)
  const live = useBenchPart((state) => state.connection === 'live')
  const [answer, setAnswer] = useState<{ readonly of: string; readonly count: number | 'untold' }>()
  const of = `${rpId} ${userId}`
  useEffect(() => {
    if (!live || userId === '') return
    let current = true
    void settings
    const timer = setTimeout(async () => {
      const result = await api.call((client) =>
        client.call('credentials.list', { query: { rp: rpId, user_id: userId } }),
      )
      if (current) setAnswer({ of, count: result.ok ? result.value.credentials.length : 'untold' })
    }, STAYS_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [api, rpId, userId, of, settings, live])
  return answer?.of === of ? answer.count : undefined
}
