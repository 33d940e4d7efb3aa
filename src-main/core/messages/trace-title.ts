import type { TraceHeader } from '../contract/trace.ts'
import type { Messages } from './messages.ts'

/** What a trace is about, in the language of who looks at it. */
export const traceTitle = (
  { title, workspace }: Pick<TraceHeader, 'title' | 'workspace'>,
  { defaultTitles }: Pick<Messages, 'defaultTitles'>,
): string => (title === '' ? defaultTitles.workspace({ workspace }) : title)
