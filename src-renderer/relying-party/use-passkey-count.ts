import { useEffect, useState } from 'react'
import { useBench, useTools } from '../bench/use-bench.ts'

/** How many passkeys a user has with an RP; asked again whenever one comes or goes. */
export const usePasskeyCount = (rpId: string, userId: string): number | undefined => {
  const { api } = useTools()
  const { settings, connection } = useBench()
  const [count, setCount] = useState<number>()
  useEffect(() => {
    if (connection !== 'live' || userId === '') return
    let current = true
    void settings
    void api
      .call((client) => client.call('credentials.list', { query: { rp: rpId, user_id: userId } }))
      .then((result) => {
        if (current && result.ok) setCount(result.value.credentials.length)
      })
    return () => {
      current = false
    }
  }, [api, rpId, userId, settings, connection])
  return count
}
