import { notFound, type Refusal, refuse } from '../../core/contract/errors.ts'
import type { SettingFact } from '../../core/contract/events.ts'
import type { Kind } from '../../core/contract/reasons.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import type { Services } from '../services.ts'

/** What the parts of the admin functions are made of. */
export type Parts = {
  readonly services: Services
}

export const notInBin = (kind: Kind, id: string): Refusal =>
  refuse('not_found', { code: 'not_deleted_lately', params: { kind, id } })

export const cannotReturn = (kind: Kind, id: string): Refusal =>
  refuse('wrong_state', { code: 'cannot_return', params: { kind, id } })

/** Runs only in a workspace that is open. */
export const inWorkspace = async <T>(
  { services }: Parts,
  workspace: string,
  run: () => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> => (services.open.has(workspace) ? run() : err(notFound('workspace', workspace)))

export const recordSetting = (parts: Parts, workspace: string, fact: Omit<SettingFact, 'kind'>): void =>
  parts.services.observe(workspace, { actor: { kind: 'control' }, kind: 'setting', ...fact })
