import { KeyRound, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { useDeletions } from '../ui/deletions.tsx'
import { shortDate } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import rpPartsStyles from './rp-parts.module.css'

type PasskeysProps = {
  readonly rpId: string
  readonly userId: string
  readonly username: string
  readonly onRegister: () => void
  readonly onBack: () => void
}

type Listed = Awaited<ReturnType<typeof ask>>['credentials']

const ask = (client: ControlClient, rp: string, user_id: string) =>
  client.call('simulator.credentials', { params: { rp }, query: { user_id } })

/** The user's passkeys as the RP lists and deletes them: by signed calls, which the timeline shows like all others. */
export const Passkeys = ({ rpId, userId, username, onRegister, onBack }: PasskeysProps) => {
  const words = texts.rp.keys
  const connection = useBenchPart((state) => state.connection)
  const { act, problem } = useAct()
  const { remove, undone } = useDeletions()
  const [listed, setListed] = useState<Listed>()
  const load = useCallback(
    () => act(async (client) => setListed((await ask(client, rpId, userId)).credentials)),
    [act, rpId, userId],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was undone is listed again.
  useEffect(() => {
    if (connection === 'live') void load()
  }, [connection, load, undone])

  const drop = ({ credential_id: id, credential_name: name }: Listed[number]) =>
    remove({
      name,
      run: async () => {
        const params = { rp: rpId, id }
        const query = { user_id: userId }
        return (await act((client) => client.call('simulator.delete-credential', { params, query }))) && load()
      },
      undo: (client) => client.call('credentials.undelete', { params: { id }, body: {} }),
    })

  return (
    <div className={`${rpPartsStyles.keys} gap-8`}>
      <h2>{words.title}</h2>
      <p>{listed?.length === 0 ? words.none : words.lead(username)}</p>
      <Problem problem={problem} />
      <ul>
        {listed?.map((each) => (
          <li key={each.credential_id}>
            <KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />
            <span>
              <b>{each.credential_name}</b>
              <small>{words.since(shortDate(Date.parse(each.created_at)))}</small>
            </span>
            <button
              type="button"
              aria-label={words.delete(each.credential_name)}
              title={words.delete(each.credential_name)}
              onClick={() => void drop(each)}
            >
              <Trash2 size={15} strokeWidth={1.75} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <button className={rpPartsStyles.button} data-part="rp-button" data-quiet type="button" onClick={onRegister}>
        {words.add}
      </button>
      <button className={rpPartsStyles.link} type="button" onClick={onBack}>
        {words.back}
      </button>
    </div>
  )
}
