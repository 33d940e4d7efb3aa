import { type ReactNode, type RefObject, useState } from 'react'
import { useAction } from '../palette/actions.ts'
import { currentUser, focusPhone } from '../palette/page.ts'
import { pageName } from '../session.ts'
import { Direction } from '../timeline/direction.tsx'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { go } from '../ui/use-address.ts'
import { useAct } from '../ui/use-asked.ts'
import { useBenchPart } from './use-bench.ts'

type FirstSteps = {
  /** The bench: commands are offered while it is on the screen. */
  readonly place: RefObject<HTMLElement | null>
  /** The RP’s page and the phone are what is to be looked at. */
  readonly onTry: () => void
}

/** Three ways to begin, over a timeline in which no RP has called, or from the palette. */
export const useFirstSteps = ({ place, onTry }: FirstSteps): ReactNode => {
  const fresh = useBenchPart(
    ({ connection, timeline }) => connection === 'live' && timeline.from === undefined && !timeline.own.any,
  )
  const phones = useBenchPart((state) => state.phones.length)
  const [wanted, setWanted] = useState(false)
  const { act, problem } = useAct()
  useAction('first-steps', place, () => {
    setWanted(true)
    go({ screen: 'bench' })
  })
  if (!fresh && !wanted) return undefined
  const tryIt = async () => {
    const user = currentUser()
    if (user === undefined) return
    const done = await act(async (client) => {
      if (phones === 0) await client.call('phones.create', { body: { name: texts.phone.names[0] } })
      await client.call('simulator.register', {
        params: { rp: user.rpId },
        body: { user_id: user.userId, username: user.username, asked_by: pageName() },
      })
    })
    if (!done) return
    setWanted(false)
    onTry()
    focusPhone(0)
  }
  return (
    <>
      <Direction
        onTry={() => void tryIt()}
        onConnect={() => go({ screen: 'bench', connect: connectingNow() })}
        onShow={() => go({ screen: 'presenter', chapter: 'key', opening: true })}
        onHide={fresh ? undefined : () => setWanted(false)}
      />
      <Problem problem={problem} />
    </>
  )
}

/** For the RP whose page is shown. */
const connectingNow = () => {
  const rp = currentUser()?.rpId
  return rp === undefined ? {} : { rp }
}
