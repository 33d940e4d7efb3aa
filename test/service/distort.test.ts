import { expect, it } from 'vitest'
import { RP_OPERATIONS } from '../../src-main/contract/rp/routes.ts'
import type { FaultParameter } from '../../src-main/contract/service-fault.ts'
import { SERVICE_FAULT_NAMES, serviceFaultOf } from '../../src-main/contract/service-faults.ts'
import { realClock } from '../../src-main/harness/clock.ts'
import { dataResponse } from '../../src-main/http/envelope-response.ts'
import type { RawResponse } from '../../src-main/http/message.ts'
import { distort } from '../../src-main/service/faults/distort.ts'
import { SERVICE_FAULT_WORKS } from '../../src-main/service/faults/service-fault-works.ts'
import type { About } from '../../src-main/service/faults/works.ts'

const URL = 'http://localhost:7420/fido/m#aAAAAAAAAAAAAAAAAAAAAAA'
const RESULT = { svc_user: 'Li', status: 'fail', error: 'user_rejected: no', user_id: 'zoë' }
const held = { credential_id: 'a', credential_name: 'A', user_id: 'zoë' }
/** An answer of each call, with all that a fault may change. */
const ANSWERS = {
  'assertion.result': RESULT,
  'attestation.result': RESULT,
  'assertion.options': { url: URL, expires_at: 1_900_000_000 },
  'attestation.options': { url: URL, expires_at: 1_900_000_000 },
  'credentials.list': { total: 1, list: [held] },
  'credentials.delete': { total: 1 },
}

const aboutOf = (name: (typeof SERVICE_FAULT_NAMES)[number], operation: About['operation']): About => ({
  operation,
  input: { params: {}, query: {}, body: { credential_ids: ['a', 'b'] } },
  user_id: 'anna',
  baseUrl: 'http://localhost:7420/fido',
  otherUrl: `${URL}B`,
  parameters: Object.fromEntries(
    Object.entries<FaultParameter>(serviceFaultOf(name).parameters ?? {}).map(([key, { preset }]) => [key, preset]),
  ),
  wall: realClock,
})

const shown = ({ status, headers, body, lost, raw }: RawResponse) => ({
  status,
  headers,
  body: Buffer.from(body).toString('latin1'),
  lost,
  raw: raw !== undefined,
})

it.each(SERVICE_FAULT_NAMES)('%s changes every answer that it can strike', (name) => {
  for (const operation of RP_OPERATIONS.filter((each) => serviceFaultOf(name).on.includes(each))) {
    const honest = dataResponse(ANSWERS[operation])
    const told = distort(honest, [[SERVICE_FAULT_WORKS[name], aboutOf(name, operation)]])
    expect(shown(told)).not.toEqual(shown(honest))
  }
})

it('any two faults can strike the same answer', () => {
  const operation = 'assertion.result'
  const names = SERVICE_FAULT_NAMES.filter((name) => serviceFaultOf(name).on.some((each) => each === operation))
  const honest = dataResponse(RESULT)
  for (const one of names) {
    for (const other of names) {
      const struck = [one, other].map((name) => [SERVICE_FAULT_WORKS[name], aboutOf(name, operation)] as const)
      expect(() => distort(honest, struck)).not.toThrow()
    }
  }
})
