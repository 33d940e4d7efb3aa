import type { TraceHeader } from '../contract/trace.ts'
import type { Messages } from './messages.ts'

export const traceTitle = (
  { title, workspace }: Pick<TraceHeader, 'title' | 'workspace'>,
  { defaultTitles }: Pick<Messages, 'defaultTitles'>,
): string => (title === '' ? defaultTitles.workspace({ workspace }) : title)
