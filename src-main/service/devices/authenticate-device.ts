import { hash } from 'node:crypto'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { headerOf, type RequestHead } from '../../http/message.ts'
import { type PageRules, pageRules } from '../../http/page-guard.ts'
import type { RequestContext, SignedIn } from '../services.ts'

/** Tokens are 256 random bits, so a plain hash protects them, and the time of a look-up by hash reveals nothing. */
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url')

/** The part of a request that its head has. */
export type AskedOfApp = Pick<RequestContext, 'services' | 'workspace'> & { readonly request: RequestHead }

export const authenticateDevice = async (asked: AskedOfApp): Promise<Result<SignedIn, Refusal>> => {
  const { services, workspace, request } = asked
  const token = /^Bearer ([\w-]+)$/i.exec(headerOf(request.headers, 'authorization') ?? '')?.[1]
  if (token === undefined) return err(refuse('device_not_signed_in', { code: 'bearer_expected' }))
  const device = await services.store.devices.byToken(workspace, tokenHash(token))
  const account = device && (await services.store.accounts.get(workspace, device.account))
  if (device === undefined || account === undefined) return err(refuse('device_not_signed_in'))
  return ok({ device, account } as SignedIn)
}

export const appPageRules = ({ services, workspace }: AskedOfApp): PageRules =>
  pageRules(services.addresses, () => services.store.rps.list(workspace))
