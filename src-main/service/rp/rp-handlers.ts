import type { Refusal } from '../../core/contract/errors.ts'
import { defaultProfile } from '../../core/contract/profile.ts'
import { RP_OPERATIONS, type RpData, type RpInput, type RpOperation, rpRoutes } from '../../core/contract/rp/routes.ts'
import type { Result } from '../../core/protocol/result.ts'
import { beginAuthentication } from '../authentication/begin-authentication.ts'
import { deleteCredentials, listCredentials } from '../credentials/credentials.ts'
import { readAuthenticationResult, readRegistrationResult } from '../messages/read-result.ts'
import { beginRegistration } from '../registration/begin-registration.ts'
import { type ParsedInput, parseInput } from '../request/parse-input.ts'
import type { RequestContext } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'

type Answer<T> = Promise<Result<T, Refusal>>

type Handlers = {
  readonly [K in RpOperation]: (context: RequestContext, caller: Caller, input: RpInput<K>) => Answer<RpData<K>>
}

const handlers: Handlers = {
  'attestation.options': beginRegistration,
  'attestation.result': readRegistrationResult,
  'assertion.options': beginAuthentication,
  'assertion.result': readAuthenticationResult,
  'credentials.list': listCredentials,
  'credentials.delete': deleteCredentials,
}

type Handler = (context: RequestContext, caller: Caller, input: ParsedInput) => Answer<unknown>

/** Parses first: a handler gets only input that the contract allows. */
export const parseRp = (operation: RpOperation, context: RequestContext): Result<ParsedInput, Refusal> =>
  parseInput(rpRoutes(context.profile)[operation], context.request, {})

/** The contract has checked the input: from here on the types are true. */
export const answerRp = (
  operation: RpOperation,
  context: RequestContext,
  caller: Caller,
  input: ParsedInput,
): Answer<unknown> => (handlers[operation] as unknown as Handler)(context, caller, input)

/** Addresses are the same in every profile. */
const addresses = rpRoutes(defaultProfile)

export const rpTable = RP_OPERATIONS.map((operation) => ({
  method: addresses[operation].method,
  pattern: addresses[operation].path,
  handler: operation,
}))
