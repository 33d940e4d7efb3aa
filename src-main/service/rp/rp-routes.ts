import type { Refusal } from '../../contract/errors.ts'
import type { Route } from '../../http/route-table.ts'
import type { Result } from '../../protocol/result.ts'
import { beginAuthentication, parseBeginAuthentication } from '../authentication/begin-authentication.ts'
import {
  deleteCredentials,
  listCredentials,
  parseDeleteCredentials,
  parseListCredentials,
} from '../credentials/credentials.ts'
import { parseReadResult, readResult } from '../messages/read-result.ts'
import { beginRegistration, parseBeginRegistration } from '../registration/begin-registration.ts'
import type { RequestContext } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'

export type Answer = Promise<Result<unknown, Refusal>>

export type RpHandler = {
  /** Its name in conditions, documents and tests. */
  readonly operation: string
  answer(context: RequestContext, caller: Caller): Answer
}

/** Meaning before rules: the ceremony sees only commands that parsed. */
const operation = <C>(
  name: string,
  parse: (context: RequestContext) => Result<C, Refusal>,
  run: (context: RequestContext, caller: Caller, command: C) => Answer,
): RpHandler => ({
  operation: name,
  answer: (context, caller) => {
    const command = parse(context)
    return command.ok ? run(context, caller, command.value) : Promise.resolve(command)
  },
})

/** The whole RP interface. */
export const rpRoutes: readonly Route<RpHandler>[] = [
  {
    method: 'POST',
    pattern: '/rp/attestation/options',
    handler: operation('attestation.options', parseBeginRegistration, beginRegistration),
  },
  {
    method: 'GET',
    pattern: '/rp/attestation/result',
    handler: operation('attestation.result', parseReadResult, readResult('registration')),
  },
  {
    method: 'POST',
    pattern: '/rp/assertion/options',
    handler: operation('assertion.options', parseBeginAuthentication, beginAuthentication),
  },
  {
    method: 'GET',
    pattern: '/rp/assertion/result',
    handler: operation('assertion.result', parseReadResult, readResult('authentication')),
  },
  {
    method: 'GET',
    pattern: '/rp/credentials',
    handler: operation('credentials.list', parseListCredentials, listCredentials),
  },
  {
    method: 'DELETE',
    pattern: '/rp/credentials',
    handler: operation('credentials.delete', parseDeleteCredentials, deleteCredentials),
  },
]
