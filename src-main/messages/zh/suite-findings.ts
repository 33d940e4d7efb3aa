import type { ProgramEnd } from '../../contract/scenario/problems.ts'
import type { FindingParams } from '../../contract/suite-findings.ts'
import { problemTexts } from '../en/scenario-problems.ts'
import { phoneText } from '../phone-text.ts'
import { type Texts, textOf } from '../text.ts'
import { zh } from './zh.ts'

const quoted = (text: string): string => `“${text}”`

const said = (output: string): string => output || '没有任何输出。'

const endText = (ended: ProgramEnd): string =>
  'exit_code' in ended ? `退出代码为 ${ended.exit_code}` : `信号为 ${ended.signal}`

/** Why an RP did not hold under a fault of the service, or was not asked. */
export const suiteFindings: Texts<FindingParams> = {
  crashed: ({ where, text }) => `${where} 返回 HTTP 500：${text}`,
  answered_no_json: ({ where, text }) => `${where} 返回的不是 JSON：${text}`,
  answered_late: ({ where }) => `${where} 没有及时响应。`,
  answered_too_much: ({ where, bytes }) => `${where} 的响应超过 ${bytes} 字节。`,
  call_failed: ({ where, error }) => `${where} 失败：${error}`,
  page_threw: ({ error }) => `页面出错：${error}`,
  page_crashed: ({ url }) => `${url} 返回 HTTP 500。`,
  page_did_not_open: ({ error }) => `页面无法打开：${error}`,
  page_showed_nothing: ({ error }) => `页面没有显示任何内容：${error}`,
  page_showed_no_code: ({ text }) => `页面既没有显示二维码，也没有显示错误：${text}`,
  no_field: ({ label, error }) => `没有字段${quoted(label)}：${error}`,
  no_element: ({ role, name, error }) => `没有名为${quoted(name)}的 ${role}：${error}`,
  no_window: ({ problem }) => `无法打开浏览器窗口：${problemTexts(problem).received}`,
  phone_says: (trouble) => `手机显示：${phoneText(zh, trouble)}`,

  rp_ended: ({ ended, output }) => `RP 已退出，${endText(ended)}：${said(output)}`,
  rp_silent: ({ url }) => `RP 在 ${url} 不再响应。`,
  broken_before: ({ reason }) => `故障生效之前：${textOf(suiteFindings, reason)}`,

  signed_in_unannounced: ({ who }) => `${quoted(who)}已登录，但服务没有报告成功。`,
  signed_in_rejected: ({ who }) => `${quoted(who)}已登录，但请求已被拒绝。`,
  signed_in_unapproved: ({ who }) => `${quoted(who)}已登录，但无人同意。`,
  signed_in_unasked: ({ who }) => `${quoted(who)}在没有发起任何请求的浏览器中登录了。`,
  signed_in_as_other: ({ who, asked }) => `请求登录的是${quoted(asked)}，登录的却是${quoted(who)}。`,
  stranger_registered: ({ who }) => `陌生人注册了通行密钥，并以${quoted(who)}的身份登录。`,

  not_begun: ({ refusal }) => `RP 没有发起请求：${refusal}`,
  gave_up: 'RP 结束了请求。',
  not_signed_in: ({ state }) => `用户已同意，却没有登录${state === undefined ? '。' : `；请求的状态为 ${state}。`}`,
  not_expired: ({ state }) => `请求已过期，但 RP 显示 ${state}。`,
  begun_with_unusable_address: 'RP 用无法使用的地址发起了登录。',
  not_registered: '用户无法注册。',
  other_not_registered: '第二个用户无法注册。',
  locked_out: '之后没有任何故障，用户仍无法登录。',
  kept_out: '之后没有任何故障，用户仍无法登录，也无法注册。',
  registered_nothing: 'RP 显示通行密钥已注册，实际并没有。',
  reopened: 'RP 已结束注册，之后又报告注册完成。',
  shows_no_passkeys: 'RP 没有显示任何通行密钥。',
  shows_other_passkeys: ({ shown, held }) => `RP 显示 ${JSON.stringify(shown)}，但用户拥有 ${JSON.stringify(held)}。`,
  removes_no_passkeys: 'RP 没有删除任何通行密钥。',
  removed_others: ({ said: told, went }) => `RP 显示删除了 ${told} 个通行密钥，实际消失了 ${went} 个。`,

  not_offered: 'RP 不提供此功能。',
  never_called: 'RP 从未发出此故障所涉及的请求。',
  rp_gone: 'RP 不再工作，也无法恢复。',
  fails_without_fault: ({ reason }) => `没有任何故障时：${textOf(suiteFindings, reason)}`,
}
