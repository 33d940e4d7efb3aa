import type { BenchEvent, Fact } from '../contract/events.ts'
import { isObject } from '../protocol/json.ts'

type Summaries = { readonly [K in Fact['kind']]: (fact: Extract<Fact, { readonly kind: K }>) => string }

const SUMMARIES: Summaries = {
  exchange: ({ request, response, faults = [] }) =>
    `${request.method} ${request.target} → ${response.status}${response.code === 0 ? '' : ` (${response.code})`}${struckBy(faults.map(({ fault }) => fault))}`,
  message: ({ ceremony, from, to, error }) =>
    `${ceremony} ${from === undefined ? 'begins' : `${from} → ${to}`}${error === undefined || error === '' ? '' : `: ${error}`}`,
  delivery: ({ state }) => `the RP read ${state}`,
  decision: ({ care, made, account, doubt }) =>
    `the ${care} RP made of it: ${[made, account, doubt].filter(Boolean).join(' ')}`,
  push: ({ stage, device_id }) => `push ${stage} to ${device_id}`,
  verdict: ({ accepted, failure }) => (accepted ? 'judged good' : `judged bad: ${failure?.word ?? ''}`),
  credential: ({ change, credential_id }) => `credential ${change} ${credential_id.slice(0, 12)}`,
  device: ({ change, account }) => `device of ${account} ${change.replace('_', ' ')}`,
  phone: ({ change, text, struck }) =>
    `phone ${change}${text === undefined || text === '' ? '' : `: ${text}`}${struckBy(struck?.faults ?? [])}`,
  clock: ({ change }) => `clock ${change}`,
  setting: ({ subject, change, detail }) => `${subject.replace('_', ' ')} ${change}${changedText(detail)}`,
  workspace: ({ change }) => `workspace ${change}`,
}

const struckBy = (faults: readonly string[]): string => (faults.length === 0 ? '' : `, struck by ${faults.join(', ')}`)

/** What was changed, where the fact names it, and whom a fault is for. */
const changedText = ({ fault, faults = [fault], name, scope = {} }: Readonly<Record<string, unknown>> = {}): string => {
  const names = [name, ...(Array.isArray(faults) ? faults : [])].filter((each) => typeof each === 'string')
  const whom = isObject(scope) ? Object.values(scope).map(String) : []
  return `${names.length === 0 ? '' : `: ${names.join(', ')}`}${whom.length === 0 ? '' : ` for ${whom.join(', ')}`}`
}

/** One event as one line for a person. */
export const eventSummary = (event: BenchEvent): string => {
  const summary = SUMMARIES[event.kind] as (fact: BenchEvent) => string
  return summary(event)
}
