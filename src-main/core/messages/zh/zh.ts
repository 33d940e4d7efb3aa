import type { Messages } from '../messages.ts'
import { errors } from './errors.ts'
import { evidence } from './evidence.ts'
import { failures, results } from './failures.ts'
import { faults, faultTopics, phoneFaultGroups, seenBy, serviceFaultGroups, shoulds } from './faults.ts'
import { inspectionKinds, inspectionWords, unread, webauthnErrors } from './inspection-words.ts'
import { inspectionChecks, inspectionWants } from './inspections.ts'
import { links } from './links.ts'
import { phoneProblems } from './phones.ts'
import { expected, reasons } from './reasons.ts'
import { defaultTitles, recordingNotes, traceNotes, traceProblems } from './recording-notes.ts'
import { carefulActs, serviceFaults } from './service-faults.ts'
import { signingEvidence, signingMistakes } from './signing-mistakes.ts'
import { certificateProblems, databaseUrls, startProblems, systemRefusals } from './start-problems.ts'
import { checks, notes, opinions, steps } from './steps.ts'

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

/** 简体中文. */
export const zh: Messages = {
  errors,
  advice,
  reasons,
  expected,
  failures,
  results,
  steps,
  checks,
  notes,
  evidence,
  faults,
  serviceFaults,
  carefulActs,
  serviceFaultGroups,
  shoulds,
  seenBy,
  phoneFaultGroups,
  faultTopics,
  phoneProblems,
  links,
  traceProblems,
  traceNotes,
  defaultTitles,
  signingMistakes,
  signingEvidence,
  opinions,
  recordingNotes,
  startProblems,
  systemRefusals,
  certificateProblems,
  databaseUrls,
  inspectionChecks,
  inspectionWants,
  inspectionKinds,
  inspectionWords,
  unread,
  webauthnErrors,
}
