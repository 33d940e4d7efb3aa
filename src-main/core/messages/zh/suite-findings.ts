import { phoneText } from '../../contract/phone-trouble.ts'
import type { RpCheckName } from '../../contract/rp-checks.ts'
import { type ProgramEnd, problemTexts } from '../../contract/scenario/problems.ts'
import type { CrashCause, FindingParams } from '../../contract/suite-findings.ts'
import { type Texts, textOf } from '../../protocol/coded.ts'
import { zh } from './zh.ts'

const quoted = (text: string): string => `“${text}”`

const said = (output: string): string => output || '没有任何输出。'

const causeText = (cause: CrashCause | undefined): string | undefined =>
  cause && [cause.error, ...(cause.frame === undefined ? [] : [`at ${cause.frame}`])].join(' ')

const endText = (ended: ProgramEnd): string =>
  'exit_code' in ended ? `退出代码为 ${ended.exit_code}` : `信号为 ${ended.signal}`

export const suiteFindings: Texts<FindingParams> = {
  crashed: ({ where, text, cause }) => `${where} 返回 HTTP 500：${causeText(cause) ?? text}`,
  answered_no_json: ({ where, text }) => `${where} 返回的不是 JSON：${text}`,
  answered_late: ({ where }) => `${where} 没有及时响应。`,
  answered_too_much: ({ where, bytes }) => `${where} 的响应超过 ${bytes} 字节。`,
  call_failed: ({ where, error }) => `${where} 失败：${error}`,
  page_threw: ({ error, cause }) => `页面出错：${causeText(cause) ?? error}`,
  page_crashed: ({ url }) => `${url} 返回 HTTP 500。`,
  page_did_not_open: ({ error }) => `页面无法打开：${error}`,
  page_showed_nothing: ({ error }) => `页面没有显示任何内容：${error}`,
  no_field: ({ label, error }) => `没有字段${quoted(label)}：${error}`,
  no_element: ({ role, name, error }) => `没有名为${quoted(name)}的 ${role}：${error}`,
  no_picture: ({ error }) => `浏览器无法为页面截图：${error}`,
  no_window: ({ problem }) => `无法打开浏览器窗口：${problemTexts(problem).received}`,
  phone_says: (trouble) => `手机显示：${phoneText(zh, trouble)}`,

  rp_ended: ({ ended, output, cause }) => `RP 已退出，${endText(ended)}：${causeText(cause) ?? said(output)}`,
  rp_silent: ({ url }) => `RP 在 ${url} 不再响应。`,
  signed_in_unapproved: ({ who }) => `${quoted(who)}已登录，但无人同意。`,
  signed_in_unasked: ({ who }) => `${quoted(who)}在另一个浏览器中登录了，而该浏览器的请求无人同意。`,
  signed_in_as_other: ({ who, asked }) => `请求登录的是${quoted(asked)}，登录的却是${quoted(who)}。`,
  signed_in_by_lie: ({ who }) => `${quoted(who)}已登录，但这个结果不可相信。`,
  stranger_registered: ({ user_id }) => `陌生人为用户${quoted(user_id)}注册了通行密钥。`,
  message_shared: ({ msg_id }) => `两个浏览器等待同一个请求 ${msg_id}。`,
  user_id_shared: ({ user_id, one, other }) =>
    `${quoted(one)}和${quoted(other)}的 user_id 相同，都是${quoted(user_id)}。`,
  secret_shown: ({ where }) => `浏览器从 ${where} 得到的内容中含有密钥。`,

  waits_for_ever: ({ seconds }) => `请求已结束，但 ${seconds} 秒后 RP 仍在等待。`,
  registered_nothing: 'RP 显示通行密钥已注册，实际并没有。',
  reopened: 'RP 已结束请求，之后又报告完成。',
  locked_out: '之后没有任何故障，用户仍无法登录。',
  kept_out: ({ refusal }) => `注册没有成功之后，用户无法再注册：${refusal}`,
  begun_with_unusable_address: ({ shown }) => `RP 显示了无法使用的地址：${shown}`,
  code_differs: ({ shown, given }) => `二维码的内容是${quoted(shown)}，服务给出的却是${quoted(given)}。`,
  push_shows_code: 'RP 在推送登录时显示了二维码。',
  code_left: 'RP 读到手机已扫码之后，仍然显示二维码。',
  no_push: ({ seconds, method }) => `${seconds} 秒内没有推送到达手机。RP 向服务请求的是${quoted(method)}。`,
  shows_markup: '来自服务的文本成了页面中的元素。',
  redirect_followed: ({ call }) => `RP 带着签名跟随重定向到了另一个主机：${call}`,
  redirect_believed: ({ call }) => `RP 跟随重定向到了另一个主机（没有带签名）：响应指向哪里，它就去哪里。${call}`,
  polls_without_pause: ({ polls, pause_ms }) => `RP 轮询了 ${polls} 次，两次之间只隔 ${pause_ms} 毫秒。`,
  polls_past_expiry: ({ polls }) => `expires_at 过后，RP 又轮询了 ${polls} 次。`,
  polls_past_end: ({ polls, status }) => `收到最终结果${quoted(status)}之后，RP 又轮询了 ${polls} 次。`,
  reads_final_again: ({ polls }) => `成功之后，RP 又读取了 ${polls} 次结果。`,
  shows_other_passkeys: ({ shown, held }) => `RP 显示 ${JSON.stringify(shown)}，但用户拥有 ${JSON.stringify(held)}。`,
  removed_others: ({ said: told, went }) => `RP 显示删除了 ${told} 个通行密钥，实际消失了 ${went} 个。`,

  not_begun: ({ user_id, refusal }) => `RP 没有发起用户${quoted(user_id)}的请求：${refusal}`,
  not_seen: 'RP 没有向服务发出任何请求。',
  who_alike: ({ who }) =>
    `两个登录的用户都显示为“${who}”。请让 signed_in 或 who 读取因人而异的内容；若已如此，则是 RP 把用户弄混了。`,
  not_signed_in: ({ shown }) => `用户已同意，却没有登录。RP 显示：${shown}`,
  not_registered: ({ shown }) => `用户无法注册。RP 显示：${shown}`,
  shows_no_passkeys: 'RP 没有显示任何通行密钥。',
  removes_no_passkeys: 'RP 没有删除任何通行密钥。',
  takes_too_long: ({ seconds }) =>
    `此服务的请求持续 ${seconds} 秒，等不到它结束。请将配置中的 message_ttl_s 设为 60 或更小。`,
  shows_no_code: '测试套件没有看到此请求的二维码。',
  scan_unseen: '只有页面能显示这一点，而且 RP 要读取状态 "bind"。',
  nothing_to_revisit: '此请求没有另一个浏览器可以使用的地址或编号。',
  too_few_polls: ({ polls }) => `RP 只读取了 ${polls} 次结果，不足以看出间隔。`,
  clock_of_others: '只有在套件自己的 bench 上才检查 expires_at 之后的轮询：它的时钟必须停住。',
  end_never_read: 'RP 没有读取请求的最终结果。',
  not_offered: 'RP 不提供此功能。',
  never_struck: 'RP 从未发出此故障所涉及的请求。',
  changed_nothing: '此故障不会改变这样的 user_id。',
  story_failed: ({ error }) => `测试套件无法演示此情节：${error}`,
  rp_gone: ({ output }) =>
    output === undefined ? 'RP 停止工作。它不是由本套件启动的，也没有恢复。' : `RP 停止工作，无法恢复。${said(output)}`,
  stopped_beside: 'RP 在同时进行多个场景时停止，且没有恢复：其中任何一个都可能使它停止。',
  twin_failed: ({ reason }) => `没有故障时：${textOf(suiteFindings, reason)}`,
}

export const rpChecks = {
  'nobody-unapproved': '未经同意，谁都不会登录',
  'another-browser': '结果只让发起请求的浏览器登录',
  'message-for-each-request': '每个浏览器有自己的请求',
  'user-id-for-each-account': '每个账户有自己的 user_id',
  'account-after-success': '注册成功之前没有账户',
  'stranger-kept-out': '陌生人无法为账户添加通行密钥',
  'pause-between-polls': '两次轮询之间有停顿',
  'polls-end': '请求结束后停止轮询',
  'final-read-once': '成功只读取一次',
  'code-with-token': '二维码的内容就是服务给出的地址',
  'push-without-code': '推送登录不显示二维码',
  'code-hidden-after-scan': '已扫的二维码不再显示',
  'secret-kept': '密钥留在服务器上',
  'user-told': '每个请求都在用户面前结束',
} as const satisfies Readonly<Record<RpCheckName, string>>
