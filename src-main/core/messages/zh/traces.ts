import type { TraceNote, TraceProblemParams } from '../../contract/trace.ts'
import type { Texts } from '../text.ts'
import { spaced as zh } from './spaced.ts'

export const defaultTitles = {
  workspace: ({ workspace }: { readonly workspace: string }): string => zh`工作区${workspace}`,
}

export const traceProblems: Texts<TraceProblemParams> = {
  no_trace: '不是 Handset 的追踪记录。',
  newer: ({ version }) => `由更新版本的 Handset 以格式 ${version} 写成。请用该版本打开。`,
  damaged: ({ events }) => `已损坏：只能读到第 ${events} 个事件。`,
  unfit: ({ line, field }) => `无法显示：第 ${line} 行的“${field}”不符合要求。`,
  too_large: ({ bytes, events }) => `内容过多，无法显示：最多 ${bytes / 1024 / 1024} MiB 或 ${events} 个事件。`,
}

export const traceNotes: Readonly<Record<TraceNote, string>> = {
  began_earlier: '此前还有更早的事件，未包含在内。',
}
