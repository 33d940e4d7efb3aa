import { type Refusal, refuse } from '../../contract/errors.ts'
import type { SettingFact } from '../../contract/events.ts'
import { err, type Result } from '../../protocol/result.ts'
import type { Services } from '../services.ts'

/** What the parts of the admin functions are made of. */
export type Parts = {
  readonly services: Services
}

export const notFound = (what: string, id: string): Refusal =>
  refuse('not_found', `There is no ${what} ${JSON.stringify(id)}.`)

export const notInBin = (what: string, id: string): Refusal =>
  refuse('not_found', `No ${what} ${JSON.stringify(id)} was deleted lately; the last 20 deletions can be taken back.`)

export const cannotReturn = (what: string, id: string): Refusal =>
  refuse('wrong_state', `The ${what} ${JSON.stringify(id)} is there again, or what it belonged to is gone.`)

/** Runs only in a workspace that is open. */
export const inWorkspace = async <T>(
  { services }: Parts,
  workspace: string,
  run: () => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> => (services.open.has(workspace) ? run() : err(notFound('workspace', workspace)))

export const recordSetting = (parts: Parts, workspace: string, fact: Omit<SettingFact, 'kind'>): void =>
  parts.services.observe(workspace, { actor: { kind: 'control' }, kind: 'setting', ...fact })
