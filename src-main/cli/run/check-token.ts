import { errors } from '../../core/contract/errors.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { type ControlClient, ControlError } from '../../sdk/client.ts'
import { onOneLine } from '../terminal.ts'

/** Removed by the bench itself when this process ends in the middle. */
const LEASE_MS = 60_000

/** Opens as many workspaces as scenarios run at a time, and closes them: a token that may not is told once, not by each scenario. */
export const checkToken = async (client: ControlClient, count: number): Promise<Result<null, string>> => {
  const opened: string[] = []
  try {
    while (opened.length < count) {
      // As scenarios open theirs: a seed counts as a secret.
      const body = { seed: opened.length, rp: 'none', lease_ms: LEASE_MS } as const
      opened.push((await client.call('workspaces.create', { body })).id)
    }
    return ok(null)
  } catch (reason) {
    if (!(reason instanceof ControlError)) return err(`nothing answers at ${client.controlUrl} any more.`)
    const wanted = count === 1 ? 'a workspace for a scenario' : `${count} workspaces at a time for the scenarios`
    const refusal = `the bench refused to open ${wanted}: ${reason.code} ${onOneLine(reason.message)}`
    return err(TOKEN_REFUSALS.has(reason.code) ? `${refusal} ${adviceFor(count)}` : refusal)
  } finally {
    for (const id of opened) {
      // One that stays is closed at the end of its lease.
      await client.call('workspaces.close', { params: { id } }).catch(() => undefined)
    }
  }
}

const TOKEN_REFUSALS: ReadonlySet<number> = new Set([errors.token_limited.code, errors.quota_reached.code])

const adviceFor = (count: number): string =>
  `A token for this run is made with "handset token new --may-open ${count} --reveal-secrets".`
