import type { Messages } from '../messages.ts'
import * as errors from './errors.ts'
import * as evidence from './evidence.ts'
import * as failures from './failures.ts'
import * as faults from './faults.ts'
import * as inspections from './inspection-words.ts'
import * as reasons from './reasons.ts'
import * as recordings from './recording-notes.ts'
import { carefulActs, serviceFaults } from './service-faults.ts'
import * as signing from './signing-mistakes.ts'
import * as starts from './start-problems.ts'
import * as steps from './steps.ts'

const advice: Messages['advice'] = {
  malformed_json: '请发送一个以 UTF-8 编码的 JSON 对象。',
  invalid_parameter: '请更正服务指出的参数，然后重新发送请求。',
  missing_parameter: '请补上服务指出的参数。空文本视为缺失。',
  conflicting_parameters: '请去掉两个参数中的一个。',
  malformed_request: '请检查 HTTP 客户端写出的请求行、查询和标头。',
  no_authorization: '请对请求签名，并在 Authorization 标头中发送签名。',
  malformed_authorization: '请按此处所示的形式书写标头。已签名标头的名称须为小写并排序。',
  unknown_access_key: '请使用有效密钥的 ID。控制台列出了每个 RP 的密钥。',
  signature_mismatch: '请打开签名：其中会显示第一处不同的行。',
  bad_date: '请按此处所示的形式，将当前 UTC 时间作为 X-Svc-Date 发送一次。',
  clock_skew: '请校准签名机器的时钟，并为每个请求重新生成 X-Svc-Date。',
  host_not_signed: '请将 host 加入已签名标头，并完全按发送的内容对 Host 标头签名。',
  bad_scope: '请使用 fido-server/ 加上你的范围标识。',
  device_not_signed_in: '请让设备重新登录，并发送其令牌。',
  control_token: '请发送本次启动的控制令牌。serve --json 会将其显示为 token。',
  bound_elsewhere: '请继续使用先扫描的手机，或发起新的消息。',
  foreign_host: '请使用服务自己的地址调用，或以 --public-url 启动服务。',
  foreign_origin: '请在控制台中将该页面的来源加入 RP 。',
  token_limited: '请向服务管理员索取有相应权限的令牌，或使用工作台自身的令牌。',
  no_route: '请将方法和路径与接口文档中的地址对照。',
  message_not_found: '请使用本工作区创建且仍然保留的消息的 msg_id。',
  no_credential: '请先为该用户注册凭据。',
  not_found: '请检查名称或 ID。它可能已被删除。',
  method_not_allowed: '请使用响应的 Allow 标头所列的方法。',
  request_timeout: '请一次发送完整的请求。中间的代理可能会延迟请求。',
  credential_limit: '请删除该用户的一个凭据，或在配置中提高上限。',
  wrong_state: '请先读取当前状态。消息可能已经变化。',
  answered_differently: '以第一次应答为准。如需重新应答，请发起新的消息。',
  already_exists: '请选择其他名称，或使用已有的对象。',
  wait_ended: '请检查该事件是否可能发生，或延长等待时间。',
  phone_refused: '请查看手机：以其屏幕上的说明为准。',
  quota_reached: '请删除不再需要的对象，或提高配额。',
  result_already_read: '请在读取时保存结果。结果只报告一次。',
  message_expired: '请发起新的消息。',
  precondition_failed: '请读取已存储的版本，并发送其 ETag。',
  body_too_large: '请减少单个请求的内容。',
  target_too_long: '请缩短路径和查询。',
  not_json: '请发送标头 Content-Type: application/json。',
  precondition_required: '请发送带有已知 ETag 的 If-Match；新条目则发送 If-None-Match: *。',
  too_many_requests: '请按响应的 Retry-After 标头等待，或在配置中提高上限。',
  headers_too_large: '请发送更少或更短的标头。',
  internal: '这是 Handset 的错误。其日志中有一行带有此请求的 ID。',
  fault_injected: '网络状况设置使请求失败。在控制台中恢复正常后即可继续。',
  no_answer: '请检查服务是否可达，以及网络状况设置是否会丢失响应。',
  unknown_transfer_coding: '请直接发送请求正文：使用 Content-Length 或分块传输。',
  store_unavailable: '请稍后重新发送请求。如果问题持续存在，请检查数据库。',
  target_failed: '请检查 --target 后面的服务是否正在运行、地址是否正确。',
  target_silent: '请检查 --target 后面的服务，或用 --patience 给它更多时间。',
  storage_full: '请在数据目录所在的磁盘上腾出空间，然后重新发送请求。',
}

const links: Messages['links'] = {
  link_too_long: ({ length, longest }) => `链接最多 ${longest} 个字符，此链接有 ${length} 个。`,
  link_unreadable: '这不是 Handset 的链接。可用的形式为 handset:show、handset:open?url=… 或 handset:scan?url=…',
  link_unknown: ({ action, known }) => `Handset 没有名为“${action}”的链接。可用的有：${known.join('、')}。`,
  link_parameters_unreadable: '链接的参数必须是 name=value 形式，并使用百分号编码。',
  link_parameter_twice: ({ name }) => `链接中 ${name} 出现了两次。`,
  link_parameter_unknown: ({ action, name }) => `链接 ${action} 没有参数 ${name}。`,
  link_parameter_missing: ({ action, name }) => `链接 ${action} 缺少参数 ${name}。`,
  link_without_code: '链接中的地址不是登录二维码的地址。',
  link_to_no_place: '该链接没有指向 Handset 页面上的任何位置。请使用页面上的“复制链接”。',
  link_of_other_bench: ({ origin, own }) =>
    `该链接指向 ${origin}，而此工作台是 ${own}。请在浏览器中打开，或启动它所属的工作台。`,
  link_id_unfit: ({ name }) => `链接的参数 ${name} 必须是一个 ID。`,
  link_not_alone: '链接必须是唯一的参数。',
  file_elsewhere: ({ path }) => `${path} 不是本机上的 .handset 文件。请先复制到本机，再打开。`,
  file_not_plain: ({ path }) => `${path} 是链接、文件夹或设备。请打开文件本身。`,
  file_too_large: ({ path, bytes, largest }) =>
    `${path} 有 ${bytes} 字节，最多只能打开 ${largest} 字节。请改用 \`npx handset show\`。`,
  file_unreadable: ({ path, reason }) => `无法读取 ${path}：${reason}。`,
  file_not_taken: ({ name }) => `未打开 ${name}：页面正在显示其他内容。请把文件拖到窗口上。`,
  hand_over_of_other_version: '启动的是另一个版本的 Handset。请先退出当前程序，然后重新启动。',
}

/** Other files export their tables under the names that these have here. */
export const zh: Messages = {
  ...errors,
  ...evidence,
  ...failures,
  ...faults,
  ...inspections,
  ...reasons,
  ...recordings,
  ...signing,
  ...starts,
  ...steps,
  advice,
  carefulActs,
  serviceFaults,
  links,
}
