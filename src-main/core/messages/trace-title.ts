import type { TraceHeader } from '../contract/trace.ts'
import type { Messages } from './messages.ts'

/** The title of a trace, or a default one in the viewer's language. */
export const traceTitle = (
  { title, workspace }: Pick<TraceHeader, 'title' | 'workspace'>,
  { defaultTitles }: Pick<Messages, 'defaultTitles'>,
): string => (title === '' ? defaultTitles.workspace({ workspace }) : title)
