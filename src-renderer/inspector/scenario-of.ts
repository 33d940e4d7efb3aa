import { wordOf } from '../../src-main/contract/judge/failure-words.ts'
import { isFinal } from '../../src-main/protocol/message-state.ts'
import type { Message } from '../../src-main/timeline/timeline.ts'
import { playSteps } from './scenario-steps.ts'
import type { Story, StoryPhone } from './story.ts'

/** JSON is YAML. */
const quote = (value: unknown): string => JSON.stringify(value)

/** What was done on the page, as a file for `handset run`; undefined while it is not over. */
export const scenarioOf = (story: Story): string | undefined => {
  const { message, phone, profile, other, about } = story
  const told = about === 'other' && other !== undefined ? other : message
  if (!isFinal(told.state)) return undefined
  const { armed, steps } = playSteps(message, phone)
  const all = [
    ...(message.struck === undefined ? [] : [`clock: { now: ${message.startedBench}, frozen: true }`]),
    ...(message.ceremony === 'authentication' ? begin(message, phone) : []),
    ...(message.struck !== undefined && story.signedInBefore ? signInBefore(message) : []),
    ...(other === undefined ? [] : [asks(other, 'other'), 'scan: { phone: phone }']),
    ...armed,
    asks(message),
    ...steps,
    expects(told, about === 'other' ? 'other' : undefined),
  ]
  const ended = [told.state, ...(told.error === undefined ? [] : [wordOf(told.error)])].join(', ')
  return [
    '# Play it again: handset run FILE.yaml',
    `name: ${quote(`${told.ceremony === 'authentication' ? 'Sign in' : 'Register'} ${told.username}: ${ended}`)}`,
    ...(Object.keys(profile).length === 0 ? [] : [`profile: ${quote(profile)}`]),
    'phones:',
    `  phone: { ${phoneParts(phone).join(', ')} }`,
    'steps:',
    ...all.map((step) => `  - ${step}`),
    '',
  ].join('\n')
}

const phoneParts = ({ name, model, algorithm }: StoryPhone): readonly string[] => [
  `name: ${quote(name)}`,
  ...(model === undefined ? [] : [`model: ${model}`]),
  ...(algorithm === undefined ? [] : [`algorithm: ${algorithm}`]),
  `account: { name: ${quote(name)}, phone: '13812345678' }`,
]

const userParts = ({ userId, username }: Message): string => `user_id: ${quote(userId)}, username: ${quote(username)}`

const asks = (message: Message, as?: string): string => {
  const named = as === undefined ? '' : `, as: ${as}`
  return message.ceremony === 'registration'
    ? `register: { ${userParts(message)}${named} }`
    : `sign_in: { ${userParts(message)}, method: ${message.method ?? 'qrcode'}${named} }`
}

const begin = (message: Message, { storage }: StoryPhone): readonly string[] => [
  `register: { ${userParts(message)} }`,
  'scan: { phone: phone }',
  `approve: { phone: phone, storage: ${storage} }`,
  'expect: { status: success }',
]

const signInBefore = (message: Message): readonly string[] => [
  `sign_in: { ${userParts(message)}, method: qrcode }`,
  'scan: { phone: phone }',
  'approve: { phone: phone }',
  'expect: { status: success }',
]

const expects = ({ state, error, ceremony, userId, struck }: Message, as?: string): string => {
  const parts = [
    `status: ${state}`,
    ...(state === 'fail' ? [`error: ${wordOf(error)}`] : []),
    ...(state === 'success' && ceremony === 'authentication' ? [`user_id: ${quote(userId)}`] : []),
    ...(as === undefined ? [] : [`message: ${as}`]),
    // What a fault holds back may come a moment later.
    ...(struck === undefined ? [] : ['until: { s: 5 }']),
  ]
  return `expect: { ${parts.join(', ')} }`
}
