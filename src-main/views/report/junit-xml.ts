import { escapeForJson } from '../../core/protocol/json.ts'

/** Report viewers read only a few MiB of each file. */
const LONGEST_TEXT = 32 * 1024
const LONGEST_MESSAGE = 500

export const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** A time in UTC, without fraction and zone, which some schemas refuse. */
export const junitTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19)

export const propertiesXml = (values: Readonly<Record<string, string>>): string =>
  `<properties>${Object.entries(values)
    .map(([name, value]) => `<property${attributes({ name, value })}/>`)
    .join('')}</properties>\n`

export const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`)
    .join('')

export const shortMessage = (content: string): string => truncate(content, LONGEST_MESSAGE)

export const text = (content: string): string => escaped(truncate(content, LONGEST_TEXT))

/** Characters that XML 1.0 does not allow are written as in JSON. */
const escaped = (content: string): string =>
  content
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, escapeForJson)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

export const truncate = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`
