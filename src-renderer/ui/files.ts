/** Hands something to the browser as a file to keep. */
export const saveFile = (name: string, content: BlobPart, type: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** `meridian-2026-05-04.json`: the workspace and the day. */
export const workspaceFileName = (workspace: string, now: number): string => `${inName(workspace)}-${isoDay(now)}.json`

/** `recorded-meridian.yaml`. */
export const scenarioFileName = (workspace: string): string => `recorded-${inName(workspace)}.yaml`

/** `meridian-2026-05-04-1530.handset`: several are saved on a day. */
export const traceFileName = (workspace: string, now: number): string =>
  `${inName(workspace)}-${isoDay(now)}-${iso(now).slice(11, 16).replace(':', '')}.handset`

const inName = (text: string): string => text.replace(/[^\w-]+/g, '-')

const iso = (millis: number): string => new Date(millis).toISOString()

const isoDay = (millis: number): string => iso(millis).slice(0, 10)

/** The document in a workspace's file; undefined if the file is something else. */
export const readWorkspaceFile = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' && document !== null && !Array.isArray(document)
      ? (document as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
