import { err, ok, type Result } from '../src-main/core/protocol/result.ts'
import { type ControlClient, ControlError, createControlClient } from '../src-main/sdk/client.ts'

export type ApiProblem =
  /** `error` is a sentence for people. */
  | { readonly kind: 'refused'; readonly code: number; readonly error: string; readonly data: unknown }
  | { readonly kind: 'unreachable' }

/** Refusals are values here, because every one of them is shown somewhere. */
export type Api = {
  readonly call: <T>(ask: (client: ControlClient) => Promise<T>) => Promise<Result<T, ApiProblem>>
  readonly events: ControlClient['events']
  readonly workspace: (id: string) => Api
}

export const createApi = (options: { readonly controlUrl: string; readonly token: string }): Api =>
  apiOf(createControlClient(options))

export const apiOf = (client: ControlClient): Api => ({
  call: (ask) => ask(client).then(ok, (error: unknown) => err(toApiProblem(error))),
  events: client.events,
  workspace: (id) => apiOf(client.workspace(id)),
})

export const toApiProblem = (error: unknown): ApiProblem =>
  error instanceof ControlError
    ? { kind: 'refused', code: error.code, error: error.message, data: error.data }
    : { kind: 'unreachable' }
