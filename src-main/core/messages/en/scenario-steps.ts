import type { StepInput, StepWord } from '../../contract/scenario.ts'

/** Names in a title that are not in the step's own input. */
export type TitleNames = { readonly phone: string }

type Titles = { readonly [W in StepWord]: (input: StepInput<W>, names: TitleNames) => string }

const plain = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const fields = (input: object, ...without: readonly string[]): string =>
  Object.entries(input)
    .filter(([key]) => !without.includes(key))
    .map(([, value]) => plain(value))
    .join(' ')

const STORES = { cloud: 'kept in the cloud', chip: 'kept in the chip' } as const

const counted = (count: StepInput<'expect_credentials'>['count']): string => {
  if (typeof count !== 'number') return 'has the credentials expected'
  return count === 0 ? 'has no credential' : count === 1 ? 'has one credential' : `has ${count} credentials`
}

const browserTitle = (input: StepInput<'browser'>, { phone }: TitleNames): string => {
  if ('open' in input) return `The browser opens ${input.open}`
  if ('press' in input) return `The browser presses ${input.press}`
  if ('fill' in input) return `The browser fills ${input.fill}`
  if ('scan' in input) return `${phone} scans the code on the page`
  if ('expect' in input) return `The page shows ${plain(input.expect)}`
  if ('expect_no' in input) return `The page does not show ${input.expect_no}`
  return `The page’s address is ${plain(input.expect_url)}`
}

export const scenarioSteps: Titles = {
  register: ({ username }) => `RP asks to register ${username}`,
  sign_in: ({ username, method }) => `RP asks ${username} to sign in by ${method === 'push' ? 'push' : 'QR code'}`,
  expect: ({ status }) => `RP reads the result: ${status}`,
  expect_credentials: ({ user_id, count }) => `${user_id} ${counted(count)}`,
  delete_credential: ({ user_id }) => `RP deletes a credential of ${user_id}`,

  scan: (_, { phone }) => `${phone} scans the code`,
  open: (_, { phone }) => `${phone} opens the push`,
  dismiss: (_, { phone }) => `${phone} swipes the push away`,
  approve: ({ storage }, { phone }) => `${phone} approves${storage === undefined ? '' : `, ${STORES[storage]}`}`,
  reject: (_, { phone }) => `${phone} says no`,
  fail_fingerprint: (_, { phone }) => `${phone} does not recognise the finger`,
  home: (_, { phone }) => `${phone} goes to its home screen`,
  set_phone: (_, { phone }) => `${phone} changes`,
  new_phone: ({ as, name = as }) => `${name} is made`,
  remove_phone: (_, { phone }) => `${phone} is removed`,
  sign_out_phone: (_, { phone }) => `${phone} signs out`,
  sign_in_phone: (_, { phone }) => `${phone} signs in`,
  wipe_phone: (_, { phone }) => `${phone} is wiped`,
  lose_phone: (_, { phone }) => `${phone} is lost`,
  sync_phone: (_, { phone }) => `${phone} reads the vault`,
  forget_credential: (_, { phone }) => `${phone} deletes a credential`,
  arm: ({ fault }, { phone }) => `${phone} will commit ${fault}`,
  disarm: ({ fault = 'any fault' }, { phone }) => `${phone} will not commit ${fault}`,
  expect_phone: (input, { phone }) => `${phone} has ${fields(input, 'phone', 'until')}`,

  clock: ({ frozen }) => (frozen === true ? 'Time stands still' : 'The clock is set'),
  advance: (input) =>
    'to' in input
      ? 'Time moves on to the next expiry'
      : `Time moves on by ${'s' in input ? `${input.s} s` : `${input.ms} ms`}`,
  expire: () => 'The message expires',
  profile: (input) => `The profile changes: ${Object.keys(input).join(', ')}`,
  conditions: () => 'The conditions change',
  arm_service: ({ fault }) => `The service will commit ${fault}`,
  snapshot: ({ as }) => `The workspace is kept as ${as}`,
  restore: ({ snapshot }) => `The workspace is again as ${snapshot}`,
  control: ({ call }) => `Control: ${call}`,

  wait: (input) => `Something happens: ${fields(input, 'until')}`,
  no_event: (input) => `Nothing happens: ${fields(input, 'within')}`,
  mark: ({ as }) => `From here: ${as}`,
  expect_events: ({ of, in_order = [] }) =>
    of === undefined ? `${in_order.length} events in this order` : `Events are counted: ${fields(of)}`,

  http: ({ method, url, json, form, body }) =>
    `${method ?? ((json ?? form ?? body) === undefined ? 'GET' : 'POST')} ${url}`,
  exec: ({ program, args = [] }) => `${[program, ...args].join(' ')} starts`,
  expect_output: ({ line }) => `The program writes ${line}`,
  end_program: ({ program = 'program' }) => `${program} is ended`,
  free_port: ({ as }) => `A free port: ${as}`,
  browser: browserTitle,
  check: ({ is }) => `The value is ${plain(is)}`,
}

/** `refused`: the step must be refused. */
export const stepTitle = <W extends StepWord>(
  word: W,
  input: StepInput<W>,
  { refused = false, ...names }: TitleNames & { readonly refused?: boolean },
): string => `${scenarioSteps[word](input, names)}${refused ? ' (to be refused)' : ''}`
