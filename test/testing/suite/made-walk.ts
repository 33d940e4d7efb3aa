import type { FaultFinding, SuiteReport } from '../../../src-main/core/contract/suite-findings.ts'

const common = { story: 'sign-in-approved', took_ms: 5 } as const

export const LET_IN = {
  ...{ ...common, fault: 'user-of-another', verdict: 'let_in' },
  reason: { code: 'signed_in_as_other', params: { who: 'mallory & <b>', asked: 'alice' } },
} as const satisfies FaultFinding

export const BROKE = {
  ...{ ...common, fault: 'html-page', verdict: 'broke' },
  reason: { code: 'crashed', params: { where: 'GET /api/attempt', text: '<!doctype html>' } },
} as const satisfies FaultFinding

export const WARNED = {
  ...{ ...common, fault: 'redirect', verdict: 'warned' },
  reason: { code: 'redirect_believed', params: { call: 'GET /x' } },
} as const satisfies FaultFinding

export const HELD = { ...common, fault: 'not-http', verdict: 'held' } as const satisfies FaultFinding

export const NOT_OFFERED = {
  ...{ ...common, fault: 'list-null', story: 'passkeys-listed', verdict: 'skipped' },
  reason: { code: 'not_offered' },
} as const satisfies FaultFinding

export const walk = (findings: readonly FaultFinding[]): SuiteReport => ({
  ...{ handset: '1.2.3', config: 'rp.yaml', again: 'handset suite rp --config rp.yaml' },
  ...{ began: 1_700_000_000_000, took_ms: 9_000, restored: 0, findings },
})
