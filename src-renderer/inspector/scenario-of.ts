import { isFinal } from '../../src-main/protocol/message-state.ts'
import type { Message } from '../bench/timeline.ts'

/** JSON strings are YAML strings. */
const quote = (text: string): string => JSON.stringify(text)

type PhoneOfIt = { readonly name: string; readonly storage: 'cloud' | 'chip' }

/** What was done on the page, as a file for `handset run`; undefined while it is not over. */
export const scenarioOf = (message: Message, phone: PhoneOfIt): string | undefined => {
  const { ceremony, state, userId, username, method, error, svcUser, struck } = message
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
  const steps = [
    ...before,
    ...(struck?.faults ?? []).map((fault) => `arm: { phone: phone, fault: ${fault} }`),
    signsIn ? `sign_in: { ${user}, method: ${method ?? 'qrcode'} }` : `register: { ${user} }`,
    ...(bound ? [method === 'push' ? 'open: { phone: phone }' : 'scan: { phone: phone }'] : []),
    answer,
    `expect: { status: ${state}${word === '' ? '' : `, error: ${word}`}${signsIn && state === 'success' ? `, user_id: ${quote(userId)}` : ''} }`,
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
