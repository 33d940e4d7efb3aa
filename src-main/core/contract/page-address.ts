/** Paths below a workspace, other than `/`, that show the page. The page interprets the later segments. */
export const isPageAddress = (path: string): boolean =>
  /^\/(?:c|e|connect|console|inspect|present|trace)(?:\/[A-Za-z0-9_-]{1,64}){0,4}$/.test(path)

export const NOTES_WINDOW = 'handset-notes'

export const isNotesPath = (path: string): boolean =>
  /^\/w\/[A-Za-z0-9_-]{1,64}\/present\/[a-z]{1,16}\/notes$/.test(path)

/** DOM event with which the desktop program makes the page show a problem; `detail` is its text. */
export const SHELL_NOTE = 'handset-shell-note'
