import { isMessageAddress, listProblem, ownEntries } from '../../core/contract/rp/believable-answer.ts'
import type { RpClientProblem } from '../../core/contract/rp-client-problems.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Message, RpClient, RpRefusal } from '../../sdk/rp.ts'

type Listed = Awaited<ReturnType<RpClient['credentials']>>

const refused = (problem: RpClientProblem, data: unknown): RpRefusal => ({
  code: 0,
  httpStatus: 200,
  error: '',
  data,
  problem,
})

const unfit = (field: string, expected: string, got: string, data: unknown): RpRefusal =>
  refused({ code: 'answer_unfit', params: { field, expected, got } }, data)

/** An address that is none of this service's, or names no message. */
export const unusableAddress = (message: Message, base: string | undefined): RpRefusal | undefined => {
  if (isMessageAddress(message.url, base)) return undefined
  return unfit('url', base === undefined ? 'http(s)://…/m#…' : `${base}/m#…`, message.url, message)
}

/** The user's own, each once; a list that contradicts itself is refused. */
export const ownCredentials = (listed: Listed, userId: string): Listed => {
  if (!listed.ok) return listed
  const { list } = listed.value
  const problem = listProblem(listed.value)
  if (problem !== undefined) return err(unfit(problem.field, problem.expected, problem.got, listed.value))
  const own = ownEntries(list, userId)
  return ok({ ...listed.value, total: own.length, list: own })
}

/** How many went, by the list afterwards and not by what was said. */
export const removedCredentials = async (
  client: RpClient,
  what: Parameters<RpClient['deleteCredentials']>[0],
): Promise<Result<{ readonly total: number }, RpRefusal>> => {
  const before = await client.credentials(what.user_id)
  if (!before.ok) return before
  const deleted = await client.deleteCredentials(what)
  if (!deleted.ok) return deleted
  const after = await client.credentials(what.user_id)
  if (!after.ok) return after
  const holds = (listed: typeof after.value, id: string) =>
    listed.list.some(({ credential_id }) => credential_id === id)
  const gone = what.credential_ids.filter((id) => holds(before.value, id) && !holds(after.value, id))
  return ok({ total: gone.length })
}
