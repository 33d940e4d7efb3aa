import { isFinal } from '../../src-main/protocol/message-state.ts'
import type { Message } from '../bench/timeline.ts'

/** JSON strings are YAML strings. */
const quote = (text: string): string => JSON.stringify(text)

type PhoneOfIt = { readonly name: string; readonly storage: 'cloud' | 'chip' }

/** What was done on the page, as a file for `handset run`; undefined while it is not over. */
export const scenarioOf = (message: Message, phone: PhoneOfIt): string | undefined => {
  const { ceremony, state, userId, username, method, error, svcUser, struck } = message
  const { startedBench, boundBench, endedBench } = message
  if (!isFinal(state) && state !== 'timeout') return undefined
  const user = `user_id: ${quote(userId)}, username: ${quote(username)}`
  const signsIn = ceremony === 'authentication'
  const word = error?.split(':')[0] ?? ''
  const bound = svcUser !== undefined && svcUser !== ''
  const before = signsIn
    ? [
        `register: { ${user} }`,
        'scan: { phone: phone }',
        `approve: { phone: phone, storage: ${phone.storage} }`,
        'expect: { status: success }',
      ]
    : []
  const answer =
    state === 'timeout'
      ? 'advance: { to: next-expiry }'
      : word === 'user_rejected' || word === 'no_matching_credential'
        ? `reject: { phone: phone${word === 'user_rejected' ? '' : `, reason: ${word}`} }`
        : `approve: { phone: phone${signsIn ? '' : `, storage: ${phone.storage}`} }`
  const chosen = (fault: string): string => {
    const parameters = struck?.parameters?.[fault]
    return parameters === undefined ? '' : `, parameters: ${JSON.stringify(parameters)}`
  }
  // What happens to a push on its way happens before anybody opens it.
  const pushed = (struck?.faults ?? []).filter((fault) => fault.startsWith('push-'))
  // A fault may hold a push or an answer back: the clock goes as it went.
  const later = (to: number | undefined, from: number | undefined): readonly string[] =>
    struck === undefined || to === undefined || from === undefined || to <= from
      ? []
      : [`advance: { ms: ${to - from} }`]
  const steps = [
    ...(struck === undefined ? [] : [`clock: { now: ${startedBench}, frozen: true }`]),
    ...before,
    ...(struck?.faults ?? []).map((fault) => `arm: { phone: phone, fault: ${fault}${chosen(fault)} }`),
    signsIn ? `sign_in: { ${user}, method: ${method ?? 'qrcode'} }` : `register: { ${user} }`,
    ...(pushed.length === 0 ? [] : [`wait: { kind: phone, struck: { faults: ${JSON.stringify(pushed)} } }`]),
    ...later(boundBench, startedBench),
    ...(bound ? [method === 'push' ? 'open: { phone: phone }' : 'scan: { phone: phone }'] : []),
    answer,
    ...(state === 'timeout' ? [] : later(endedBench, boundBench)),
    `expect: { status: ${state}${word === '' ? '' : `, error: ${word}`}${signsIn && state === 'success' ? `, user_id: ${quote(userId)}` : ''}${struck === undefined ? '' : ', until: { s: 5 }'} }`,
  ]
  return [
    '# Play it again: handset run FILE.yaml',
    `name: ${quote(`${signsIn ? 'Sign in' : 'Register'} ${username}: ${state}${word === '' ? '' : `, ${word}`}`)}`,
    'phones:',
    `  phone: { name: ${quote(phone.name)}, account: { name: ${quote(phone.name)}, phone: '13812345678' } }`,
    'steps:',
    ...steps.map((step) => `  - ${step}`),
    '',
  ].join('\n')
}
