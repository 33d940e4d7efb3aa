/** Hands a text to the browser as a file to keep. */
export const saveFile = (name: string, text: string, type: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** `meridian-2026-05-04.handset`: the workspace and the day. */
export const workspaceFileName = (workspace: string, now: number): string =>
  `${workspace.replace(/[^\w-]+/g, '-')}-${isoDay(now)}.handset`

const isoDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** The document in a `.handset` file; undefined when the file holds anything else. */
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
