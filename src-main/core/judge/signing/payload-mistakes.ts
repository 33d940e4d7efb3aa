import { octetsIn, octetsOf, toBase64url } from '../../protocol/bytes.ts'
import { parseBody, reordered, restyled } from './json-styles.ts'
import type { Change, MistakeContext, MistakeTable } from './mistake.ts'

const ofBodies = (bodies: readonly string[], { crypto, message }: MistakeContext): readonly Change[] =>
  [...new Set(bodies)]
    .filter((body) => body !== message.body)
    .map((body) => ({ body, payload: crypto.sha256Hex(octetsOf(body)) }))

const formOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? [new URLSearchParams(Object.entries(value).map(([name, inner]) => [name, String(inner)])).toString()]
    : []

/** What may go wrong with the hash of the body. */
export const payloadMistakes = {
  'body-missing': {
    part: 'payload',
    changes: (_, { crypto, message }) => (message.body === '' ? [] : [{ body: '', payload: crypto.sha256Hex('') }]),
  },
  'body-rewritten': {
    part: 'payload',
    changes: (_, context) => {
      const parsed = parseBody(context.message.body)
      return parsed === undefined ? [] : ofBodies(restyled(parsed.value), context)
    },
  },
  'body-reordered': {
    part: 'payload',
    alone: true,
    changes: (_, context) => {
      const parsed = parseBody(context.message.body)
      return parsed === undefined ? [] : ofBodies(reordered(parsed.value), context)
    },
  },
  'body-newline': {
    part: 'payload',
    changes: (_, context) => {
      const { body } = context.message
      return ofBodies(
        [
          `${body}\n`,
          `${body}\r\n`,
          body.trimEnd(),
          body.trim(),
          body.replaceAll('\r\n', '\n'),
          body.replace(/\r?\n/g, '\r\n'),
        ],
        context,
      )
    },
  },
  'body-of-another-kind': {
    part: 'payload',
    changes: (_, context) => {
      const parsed = parseBody(context.message.body)
      const usual = ['{}', 'null', 'undefined', '""', '[]', '[object Object]', ...formOf(parsed?.value)]
      return ofBodies([...usual, JSON.stringify(context.message.body)], context)
    },
  },
  'payload-unhashed': {
    part: 'payload',
    changes: (_, { message }) => [{ payload: octetsOf(message.body) }, { payload: 'UNSIGNED-PAYLOAD' }],
  },
  'payload-writing': {
    part: 'payload',
    changes: ({ payload }, { crypto, message }) => {
      const url = toBase64url(crypto.sha256(octetsOf(message.body)))
      const plain = url.replaceAll('-', '+').replaceAll('_', '/')
      return [payload.toUpperCase(), url, `${plain}=`, plain].map((text) => ({ payload: text }))
    },
  },
  'payload-twice': {
    part: 'payload',
    changes: ({ payload }, { crypto, message }) => [
      { payload: crypto.sha256Hex(payload) },
      { payload: crypto.sha256Hex(octetsIn(crypto.sha256(octetsOf(message.body)))) },
    ],
  },
} as const satisfies MistakeTable
