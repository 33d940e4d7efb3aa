import type { SignatureState } from '../../contract/control/states.ts'

export type FirstDifference = NonNullable<SignatureState['difference']>

/** The signed text that differs: the request, the text around its hash, or the body behind the payload's hash. */
type SigningText = FirstDifference['in']

type Texts = { readonly signed: string; readonly computed: string }

const CANONICAL = ['method', 'path', 'query'] as const
const FROM_END = ['payload', 'signed', 'empty'] as const
const TO_SIGN = ['algorithm', 'date', 'scope', 'request'] as const

export const firstDifference = (text: SigningText, { signed, computed }: Texts): FirstDifference | undefined => {
  if (signed === computed) return undefined
  const ours = signed.split('\n')
  const theirs = computed.split('\n')
  let at = 0
  while (at < ours.length && at < theirs.length && ours[at] === theirs[at]) at++
  const [left, right] = [ours[at], theirs[at]]
  return {
    in: text,
    line: at + 1,
    name: nameOf(text, at, theirs),
    ...(left === undefined ? {} : { signed: left }),
    ...(right === undefined ? {} : { computed: right }),
  }
}

const nameOf = (text: SigningText, at: number, computed: readonly string[]): string => {
  if (text === 'body') return 'body'
  if (text === 'string_to_sign') return TO_SIGN[at] ?? 'end'
  const fixed = CANONICAL[at]
  if (fixed !== undefined) return fixed
  // After the three fixed lines: one for each signed header, an empty one, the names, the hash of the body.
  const header = computed[at]?.split(':')[0] ?? 'end'
  return FROM_END[computed.length - 1 - at] ?? header
}
