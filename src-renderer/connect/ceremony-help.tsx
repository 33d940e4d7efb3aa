import { Plus, ScanLine } from 'lucide-react'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { verdictWord } from '../bench/words.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'

/** Phones that stand side by side: more are scanned with from the bench. */
const MOST_PHONES = 3

/** What is to be done about the message that the server asked for last. */
export const CeremonyHelp = ({
  message,
  onWhy,
}: {
  readonly message: Message
  readonly onWhy: (msgId: string) => void
}) => {
  const words = texts.connect.ceremony
  const phones = useBenchPart((state) => state.phones)
  const { act, problem } = useAct()
  const { state, ceremony, url, msgId, delivered } = message
  if (state === 'init' && message.method !== 'push') {
    return (
      <>
        <p>{words.init[ceremony]}</p>
        {phones.slice(0, MOST_PHONES).map(({ id, name }) => (
          <Button
            key={id}
            look="primary"
            onClick={() => void act((client) => client.call('phones.scan', { params: { id }, body: { url } }))}
          >
            <ScanLine size={14} strokeWidth={1.75} aria-hidden="true" />
            {words.scan(name)}
          </Button>
        ))}
        {phones.length === 0 ? (
          <Button
            look="primary"
            onClick={() => void act((client) => client.call('phones.create', { body: { name: texts.phone.names[0] } }))}
          >
            <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
            {texts.phone.addFirst}
          </Button>
        ) : null}
        <Problem problem={problem} />
      </>
    )
  }
  if (state === 'init') return <p>{words.pushed}</p>
  if (state === 'bind') return <p>{words.bind}</p>
  if (state === 'success') return <p>{delivered ? words.registered : words.unread}</p>
  return (
    <>
      <p>{words.ended(verdictWord(message))}</p>
      {state === 'fail' ? (
        <Button look="ghost" small onClick={() => onWhy(msgId)}>
          {texts.timeline.why}
        </Button>
      ) : null}
    </>
  )
}
