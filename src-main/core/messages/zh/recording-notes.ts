import type { Messages } from '../messages.ts'
import { joinWithSpaces as zh } from './spaced.ts'

const CHANGES: Readonly<Record<string, string>> = {
  added: '添加',
  created: '创建',
  cleared: '清除',
  deleted: '删除',
  restored: '恢复',
  revealed: '读取',
}

const changed = (change: string): string => (Object.hasOwn(CHANGES, change) ? `已${CHANGES[change]}` : `：${change}`)

export const recordingNotes: Messages['recordingNotes'] = {
  recorded: ({ workspace, from, to }) =>
    `录自工作区 ${workspace}，${from === undefined ? '没有事件' : `事件 ${from} 至 ${to}`}。回放：npx handset run FILE.yaml`,
  messages_under_way: ({ count }) => `录制开始时有 ${count} 条消息尚未结束，其后续未录制。`,
  earlier_passkey: ({ credential, username }) =>
    `用户 ${username} 的通行密钥 ${credential} 注册于保留的第一个事件之前。`,
  earlier_snapshot: '工作区已恢复到早于此次录制的快照。',
  signed_otherwise: '以另一个密钥签名：无论当时的错误是什么，都会以同样的方式被拒绝。',
  unsigned_call: ({ method, target, refused }) =>
    `${method} ${target} 被拒绝（${refused}）。场景中的 RP 总是正确签名。`,
  unknown_call: ({ method, target }) => `${method} ${target} 没有对应的步骤：它不属于 RP 接口。`,
  sent_again: ({ method, target, edited, signing }) =>
    `${method} ${target} 由人工重发（修改：${edited || '无'}；签名：${signing}）。没有步骤可以重现。`,
  unusual_body: ({ target }) => `${target} 收到的正文，场景中的 RP 不会发送。`,
  result_of_earlier: ({ target }) => `RP 读取了录制开始之前的消息的结果：${target}`,
  call_without_user: ({ target }) => `${target} 没有指明用户。`,
  credentials_deleted: ({ count }) => `RP 一次删除了 ${count} 个通行密钥，而一个步骤只删除一个。`,
  foreign_answer_refused: ({ phone, word }) =>
    `服务拒绝了手机应用 ${phone} 的应答：${word}。要让手机这样应答，请预置故障，见 docs/faults.md。`,
  phone_with_earlier: ({ phone, did }) => `${phone} 对录制开始之前的消息执行了“${did}”。`,
  phone_problem: ({ phone, word }) => `手机 ${phone} 显示问题“${word}”，它没有对应的步骤。`,
  root_changed: ({ change }) => `根证书${changed(change)}，但事件中没有该证书。`,
  user_changed: ({ change }) => `用户${changed(change)}，此操作没有对应的步骤。`,
  access_key_changed: ({ change }) => `访问密钥${changed(change)}。场景中的 RP 保留各自的密钥。`,
  snapshot_changed: ({ change }) => `快照${changed(change)}，工作区没有变化。`,
}

export const defaultTitles = {
  workspace: ({ workspace }: { readonly workspace: string }): string => zh`工作区${workspace}`,
}

export const traceProblems: Messages['traceProblems'] = {
  no_trace: '不是 Handset 的追踪记录。',
  newer: ({ version }) => `由更新版本的 Handset 以格式 ${version} 写成。请用该版本打开。`,
  damaged: ({ events }) => `已损坏：只能读到第 ${events} 个事件。`,
  unfit: ({ line, field }) => `无法显示：第 ${line} 行的“${field}”不符合要求。`,
  too_large: ({ bytes, events }) => `内容过多，无法显示：最多 ${bytes / 1024 / 1024} MiB 或 ${events} 个事件。`,
}

export const traceNotes: Messages['traceNotes'] = { began_earlier: '此前还有更早的事件，未包含在内。' }
