import { isObject, type JsonObject, parseJsonOrNothing } from '../../src-main/core/protocol/json.ts'

export const saveFile = (name: string, content: BlobPart, type: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** For example `meridian-2026-05-04.json`. */
export const workspaceFileName = (workspace: string, now: number): string => `${inName(workspace)}-${isoDay(now)}.json`

/** For example `recorded-meridian.yaml`. */
export const scenarioFileName = (workspace: string): string => `recorded-${inName(workspace)}.yaml`

/** For example `meridian-2026-05-04-1530.handset`, with the time because users save several in a day. */
export const traceFileName = (workspace: string, now: number): string =>
  `${inName(workspace)}-${isoDay(now)}-${iso(now).slice(11, 16).replace(':', '')}.handset`

const inName = (text: string): string => text.replace(/[^\w-]+/g, '-')

const iso = (millis: number): string => new Date(millis).toISOString()

const isoDay = (millis: number): string => iso(millis).slice(0, 10)

export const readWorkspaceFile = (text: string): JsonObject | undefined => {
  const document = parseJsonOrNothing(text)
  return isObject(document) ? document : undefined
}
