import type { Route } from '../http/route-table.ts'
import type { Refusal } from '../protocol/errors.ts'
import type { Result } from '../protocol/result.ts'
import type { Caller } from './authenticate.ts'
import { beginAuthentication, parseBeginAuthentication } from './ceremonies/begin-authentication.ts'
import { beginRegistration, parseBeginRegistration } from './ceremonies/begin-registration.ts'
import {
  deleteCredentials,
  listCredentials,
  parseDeleteCredentials,
  parseListCredentials,
} from './ceremonies/credentials.ts'
import { parseReadResult, readResult } from './ceremonies/read-result.ts'
import type { Turn } from './services.ts'

export type Answer = Promise<Result<unknown, Refusal>>

export type RpHandler = {
  /** Its name in weather, documents and tests. */
  readonly operation: string
  answer(turn: Turn, caller: Caller): Answer
}

/** Meaning before rules: the ceremony sees only commands that parsed. */
const operation = <C>(
  name: string,
  parse: (turn: Turn) => Result<C, Refusal>,
  run: (turn: Turn, caller: Caller, command: C) => Answer,
): RpHandler => ({
  operation: name,
  answer: (turn, caller) => {
    const command = parse(turn)
    return command.ok ? run(turn, caller, command.value) : Promise.resolve(command)
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
