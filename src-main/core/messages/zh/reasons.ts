import type { ExpectedParams, ReasonParams } from '../../contract/errors.ts'
import { type Texts, textOf } from '../../protocol/coded.ts'
import { findNearest } from '../../protocol/nearest.ts'
import type { AuthenticatorRefusal, ObjectKind, TokenNeeds } from '../../protocol/reasons.ts'
import type { RpClientProblemParams, SignedPart, SigningProblemParams } from '../../protocol/rp-client-problems.ts'
import type { Messages } from '../messages.ts'

const name = (field: string): string => (field === '' ? '文档' : `“${field}”`)

/** A longer list of names is left out if it is clear which name was meant. */
const LONG_LIST = 12

const unknown = ({ field, known }: ReasonParams['field_unknown']): string => {
  const near = findNearest(field.split('.').at(-1) ?? field, known)
  const meant = near === undefined ? '' : `是否想写 ${near}？`
  const all = known.length === 0 ? '不接受任何字段。' : `可用的有：${known.join('、')}。`
  return `这里没有${name(field)}。${meant}${near !== undefined && known.length > LONG_LIST ? '' : all}`
}

const KINDS: Readonly<Record<ObjectKind, string>> = {
  workspace: '工作区',
  snapshot: '快照',
  rp: ' RP ',
  access_key: '访问密钥',
  credential: '凭据',
  message: '消息',
  account: '账户',
  device: '设备',
  root: '根证书',
  phone: '手机',
  lease: '租约',
  fault: '已预置的故障',
  token: '令牌',
}

const TOKEN_NEEDS: Readonly<Record<TokenNeeds, string>> = {
  reveal: '它无权读取机密：创建时没有使用 --reveal-secrets。',
  bench: '它仅限于某些工作区，而此操作涉及整个工作台。',
  open: '它无权打开工作区：创建时没有使用 --may-open。',
  close: '它只能关闭由它打开的工作区。',
  change: '它只能更改由它打开的工作区。',
  quota: '它无权设置配额。',
}

const QUOTAS: Readonly<Record<ReasonParams['quota_is']['of'], string>> = {
  workspaces: '个工作区',
  phones: '部手机',
  credentials: '个凭据',
  messages: '条进行中的消息',
}

const LACKS: Readonly<Record<ReasonParams['message_lacks']['member'], string>> = {
  public_key: '其中的 public_key 不符合 WebAuthn 的规定。',
  rp: '其中没有说明由谁请求。',
  expires_at: '其中没有说明有效期。',
}

const AUTHENTICATOR: Readonly<Record<AuthenticatorRefusal, string>> = {
  malformed_options: '请求中有一个值不符合 WebAuthn 的规定。',
  rp_id_not_for_origin: 'RP ID 既不是来源的主机名，也不是它的上级域名。',
  no_supported_algorithm: '这部手机不支持服务接受的任何算法。',
  credential_excluded: '这部手机已持有服务排除的凭据之一。',
  resident_key_unavailable: '服务要求可发现凭据，而这部手机无法保存。',
  user_verification_unavailable: '服务要求验证用户，而用户未经验证。',
  large_blob_unavailable: '服务要求大型数据存储，而这部手机没有。',
  no_matching_credential: '这部手机没有符合请求的凭据。',
}

const signedParts: Readonly<Record<SignedPart, string>> = {
  method: '方法',
  path: '路径',
  query: '查询字符串',
  header: '标头',
  signed_headers: '已签名标头列表',
  body_hash: '正文哈希',
}

const quoted = (text: string | undefined): string => (text === undefined ? '无' : JSON.stringify(text))

const unsignable: Texts<SigningProblemParams> = {
  secret_key: '密钥必须是有效的 Unicode 文本，且不能为空。',
  access_key_id: ({ got }) => `访问密钥 ID 必须是可见的 ASCII 字符，且不含“/”和“,”；收到的是 ${got}。`,
  scope_identifier: ({ got, commas }) =>
    `范围标识必须是有效的 Unicode，且不含控制字符${commas ? '' : '和逗号'}；收到的是 ${got}。`,
  host: ({ got }) => `主机名必须是可见的 ASCII 字符；收到的是 ${got}。`,
  method: ({ got }) => `方法必须是一个 ASCII 单词；收到的是 ${got}。`,
  target: ({ got }) => `路径和查询字符串必须经百分号编码为可见的 ASCII 字符；收到的是 ${got}。`,
  query: ({ got }) => `查询字符串中的 ${got} 不是百分号编码的字节。`,
  header_name: ({ got }) => `${got} 不是标头的名称。`,
  header_value: ({ name, got }) => `标头 ${name} 必须是有效的 Unicode，且不含控制字符；收到的是 ${got}。`,
}

const rpClient: Texts<RpClientProblemParams> = {
  not_signable: ({ problem }) => `RP 客户端无法签名：${textOf(unsignable, problem)}`,
  not_unicode: ({ name: parameter, got }) => `“${parameter}” 必须是有效的 Unicode；收到 ${JSON.stringify(got)}。`,
  not_answered: ({ host, why }) => `RP 客户端未收到 ${host} 的响应：${why}。`,
  answer_late: ({ host, ms }) => `${host} 的响应未能在 ${ms} 毫秒内完整到达。`,
  answer_too_large: ({ host, bytes }) => `${host} 的响应超过 ${bytes} 字节。`,
  answer_no_envelope: ({ status }) => `响应（HTTP ${status}）不是规定的信封格式。`,
  answer_unfit: ({ field, expected: wanted, got }) => `响应不符合约定：“${field}” 必须是 ${wanted}；收到 ${got}。`,
  signed_otherwise: ({ part, header, signed, computed }) =>
    `${header === undefined ? signedParts[part] : `${signedParts[part]} “${header}”`} 不一致：RP 客户端签的是 ${quoted(signed)}，服务计算的是 ${quoted(computed)}。`,
  signed_alike: '双方计算出的规范请求相同：密钥或范围与此访问密钥不符。',
}

export const reasons: Messages['reasons'] = {
  field_missing: ({ field, unknown: other }) => `缺少${name(field)}。${other === undefined ? '' : unknown(other)}`,
  field_unknown: (field) => unknown(field),
  field_unfit: ({ field, expected: wanted, got }) =>
    `${name(field)}必须是${textOf(expected, wanted)}${got === undefined ? '' : `；收到的是 ${got}`}。`,
  field_encoding: ({ field }) => `${name(field)}不是百分号编码的 UTF-8。`,
  field_twice: ({ field }) => `${name(field)}出现了两次。`,
  field_contradicts: ({ field }) => `${name(field)}出现了两次，且值不同。`,

  got: ({ got }) => `收到的是 ${got}。`,

  field_repeats: ({ field, other, value }) => `${name(field)}与 ${other} 中的重复：${value}。`,

  expected_chunked: ({ got }) => `应为 chunked，收到的是 ${got}。`,
  https_expected: '此端口使用 https。地址应以 https:// 开头。',
  no_authority: '此服务没有自己的证书颁发机构；handset serve --tls 会创建一个。',
  only_100_continue: 'Expect 标头只能是“100-continue”。',
  no_proxy: '这里不是代理。',
  target_unreachable: ({ problem }) => `无法连接到目标：${problem}。`,
  target_cut: '目标在应答完成之前断开了连接。请求可能已被执行。',
  target_no_http: ({ code }) => `目标的应答不是 HTTP：${code}。`,
  target_too_much: ({ count }) => `目标的应答超过 ${count} 字节。`,
  outside_target: '该路径超出了目标地址的范围。',
  target_silent: ({ seconds }) => `${seconds} 秒内没有应答。请求可能已被执行。`,
  no_target: '代理启动时没有 --app-url，手机无法使用它。',
  not_recorded: ({ method, path }) => `录制中没有对 ${method} ${path} 的应答，也没有 --target。`,
  path_expected: '请求目标应为路径。',
  one_host_expected: ({ count }) => `应有一个 Host 标头，收到了 ${count} 个。`,
  parser_says: ({ words }) => `应为 HTTP/1.1，解析器报告：${words}。`,
  bytes_at_most: ({ count }) => `最多 ${count} 字节。`,
  methods_allowed: ({ methods }) => `允许的方法：${methods.join('、')}。`,
  try_again_in: ({ seconds }) => `请在 ${seconds} 秒后重试。`,
  disk_says: ({ message, code }) => `系统报告：${message}（${code}）。`,
  in_log_as: ({ id }) => `日志中的编号为 ${id}。`,
  host_could_be_allowed: ({ host }) =>
    `收到的是 ${JSON.stringify(host)}。如果这个名称指向 Handset，请以 --allow-host ${host} 启动它。`,

  content_type_missing: '没有 Content-Type。',
  body_empty: '正文为空。',
  byte_order_mark: '正文以字节顺序标记开头。',
  not_utf8: '正文不是 UTF-8。',
  not_json: '正文不是有效的 JSON。',
  json_is: ({ type }) => `正文的类型是 ${type}。`,
  json_levels_at_most: ({ count }) => `嵌套超过 ${count} 层。`,
  json_members_at_most: ({ count }) => `有一个对象的成员超过 ${count} 个。`,
  json_values_at_most: ({ count }) => `值超过 ${count} 个。`,
  scopes_at_most: '已有 100 个范围设有自己的网络状况，达到上限。请先重置一些。',
  faults_armed_at_most: ({ count }) => `已预置 ${count} 个服务故障，达到上限。请先解除一些。`,

  half_surrogate_pair: '其中含有未配对的代理项。',
  member_twice: ({ json }) => `成员 ${json} 出现了两次。`,

  header_repeated: '该标头发送了不止一次。',
  algorithm_expected: ({ algorithm }) => `必须以“${algorithm} ”开头。`,
  authorization_parts: ({ count }) => `逗号之间应有两部分（短格式）或三部分（通用格式），收到了 ${count} 部分。`,
  key_and_scope_expected: '第一个逗号之前应为“<access_key_id>/<credential_scope>”。',
  signed_headers_form: '已签名标头必须是以“;”连接的小写标头名称，不含空格。',
  signed_headers_order: '已签名标头必须按升序排列，且各出现一次。',
  signature_form: '签名必须是 64 位小写十六进制数字。',
  signed_header_not_sent: ({ name }) => `其中称“${name}”已签名，但没有收到该标头。`,
  form_disabled: ({ form }) => `${form} 格式已关闭（配置 authorization_forms）。`,
  date_sent_times: ({ count }) => `收到了 ${count} 次。`,
  date_form: ({ got }) => `收到的是 ${got}；应为 YYYYMMDDTHHMMSSZ。`,
  date_does_not_exist: ({ got }) => `收到的是 ${got}；应为真实存在的日期。`,
  date_not_signed: 'x-svc-date 必须在已签名标头之中（配置 require_signed_date）。',
  clock_away: ({ seconds, allowed }) => `相差 ${seconds} 秒；允许 ${allowed} 秒。`,
  scope_not_utf8: '范围不是 UTF-8。',
  scope_expected: ({ module, got }) => `应为“${module}/<identifier>”，收到的是 ${got}。`,
  scope_date: ({ scope, date }) => `范围的日期是 ${scope}，X-Svc-Date 的日期是 ${date}。`,
  query_not_encoded: ({ got }) => `查询中的 ${got} 不是百分号编码的字节。`,
  compare_texts: '这是服务计算出的内容；请与你签名的内容逐行对照。',

  requests_per_minute: ({ count }) => `每分钟允许 ${count} 次。`,
  credentials_held: ({ count, limit }) => `已有 ${count} 个；允许 ${limit} 个。`,
  quota_is: ({ of, limit }) => `配额为 ${limit} ${QUOTAS[of]}。`,
  simulated: '模拟：网络状况设置拒绝了此调用。',

  none_there: ({ kind, id }) => `没有${KINDS[kind]}“${id}”。`,
  one_there: ({ kind, id }) => `已有${KINDS[kind]}“${id}”。`,
  not_deleted_lately: ({ kind, id }) => `最近没有删除过${KINDS[kind]}“${id}”；只能撤销最近 20 次删除。`,
  cannot_return: ({ kind, id }) => `${KINDS[kind]}“${id}”已重新存在，或者它所属的对象已不存在。`.trim(),
  rp_is_gone: ({ id }) => `访问密钥“${id}”无法恢复：其 RP 已不存在。`,
  key_of_another_rp: ({ id }) => `访问密钥“${id}”属于另一个 RP。`,
  main_stays: '工作区“main”不能关闭。',
  workspace_closed: '工作区已在此期间关闭。',
  snapshot_damaged: ({ problem }) => `快照已损坏，只能删除。${textOf(reasons, problem)}`,
  phones_not_kept: '此快照的手机未被保留。',

  message_ids_differ: 'msg_id 和 id 指的是不同的消息。',
  message_damaged: '它已损坏。',
  message_not_bound: '消息尚未绑定。',
  message_is: ({ state }) => `消息处于 ${state} 状态。`,
  bearer_expected: '应为“Authorization: Bearer <device_token>”。',
  proof_of_another_account: '该账户受保护，而所给的证明不属于它。',
  account_gone: '该账户已不存在。',
  account_without_vault: '未带证明创建的账户没有云端存储。',
  conditions_exclude_each_other: 'If-Match 与 If-None-Match 互斥。',

  model_has: ({ got, model, known }) => `收到的是 ${got}；${model} 支持 ${known.join('、')}。`,
  fault_needs_key: ({ fault, wanted, made }) =>
    `${fault} 需要 ${wanted.join('、')} 的密钥；这部手机生成的是 ${made.join('、')}。`,
  connection_broke_off: '连接中断。',
  nothing_listens: '那里没有程序在监听。',
  host_name_unknown: '主机名未知。',
  answer_too_long: '响应过长。',
  answer_is_not: ({ form, status }) =>
    `响应不是${form === 'envelope' ? '规定的信封格式' : ` ${form}`}（HTTP ${status}）。`,
  message_lacks: ({ member }) => LACKS[member],
  authenticator_refuses: ({ why, got }) => `${AUTHENTICATOR[why]}（${got}）`,
  storage_says: ({ message }) => `存储报告：${message}。`,

  only_at: ({ path }) => `它只在 ${path} 提供。`,
  code_used: '该一次性代码已被使用，或从未有效。',
  token_may_not: ({ what }) => TOKEN_NEEDS[what],
  nothing_to_expire: '没有进行中的消息可以过期。',
  real_goes_alone: ({ others }) =>
    `“real”须单独使用，因为它表示以 1 倍速运行的真实时间；同时收到了 ${others.map((key) => `“${key}”`).join('和')}。“now”“frozen”“speed”可以一起使用。`,
  no_request_of_rp: ({ id }) => `该 RP 没有请求“${id}”。`,
  no_message_events: ({ id }) => `没有消息 ${id} 的事件；只保留最近的事件。`,
  no_exchange: ({ seq }) => `没有编号为 ${seq} 的交互；只保留最近的事件。`,
  signature_not_refused: ({ code }) => `它不是因签名被拒绝的：其代码是 ${code}。`,
  waited: ({ timeout_ms, match, count, came }) => {
    const others = came.map(({ seq, text }) => `#${seq} ${text}`).join('；')
    return `等待 ${match} 已达 ${timeout_ms} 毫秒。${count === 0 ? '没有事件发生。' : `发生了 ${count} 个其他事件：${others}。`}`
  },
  no_active_key: '该 RP 没有可用于签名的有效访问密钥。请在控制台中创建或启用一个。',
  no_rp_request: '这里只能重发 RP 的请求。手机的应答请用 /answer 重发。',
  no_phone_answer: '只能重发手机对注册或登录的应答。',
  resend_elsewhere: ({ base }) => `请求只会重发到本服务：路径须以 ${base}/rp/ 开头。`,
  header_not_sendable: ({ name }) => `${name} 属于连接本身，由 Handset 填写。请去掉它。`,
  body_not_kept: '记录的正文不完整：部分内容被遮盖或不是文本。请给出要发送的正文。',
  answering_phone_gone: '作答的手机已不在此，或已登录为另一台设备。',
  message_not_kept: '该注册或登录的开头已不再保留。',
  not_answered_by_phone: '手机没有作答：它被设为拒绝、忽略或等待。',
  ...rpClient,
}

type Range = ExpectedParams['number']

const range = ({ above, least, most }: Range): string => {
  if (above !== undefined) return `大于 ${above}${most === undefined ? '' : `、不超过 ${most}`} 的`
  if (least === undefined) return most === undefined ? '' : `不超过 ${most} 的`
  return most === undefined ? `不小于 ${least} 的` : ` ${least} 到 ${most} 之间的`
}

export const expected: Messages['expected'] = {
  something_else: '其他的值',
  value: ({ json }) => `固定值 ${json}`,
  one_of: ({ values }) => `以下之一：${values.join('、')}`,
  any_of: ({ forms }) => `以下形式之一：${forms.join('、')}`,
  object: ' JSON 对象',
  list: '列表',
  distinct_list: '没有重复项的列表',
  entries_at_least: ({ count }) => `至少有 ${count} 项的列表`,
  entries_at_most: ({ count }) => `最多有 ${count} 项的列表`,
  text: '文本',
  text_not_empty: '非空文本',
  characters_at_least: ({ count }) => `至少有 ${count} 个字符的文本`,
  characters_at_most: ({ count }) => `最多有 ${count} 个字符的文本`,
  text_of_form: ({ pattern }) => `符合 ${pattern} 的文本`,
  number: (limits) => `${range(limits)}数字`,
  whole_number: (limits) => `${range(limits)}整数`,
  true_or_false: ' true 或 false',
  null: '空值 null',

  name: ({ count }) => ` 1 到 ${count} 个字符且不含控制字符的文本`,
  name_on_a_line: ({ count }) => ` 1 到 ${count} 个字符、只有一行且不全是空格的文本`,
  phone_number: ' 3 到 20 位数字，可以带“+”',
  access_key_id: ' 1 到 128 个字母、数字或 ._~- 中的字符',
  loopback_origin: '本机的 http 地址，例如“http://localhost:8080”，不含路径',
  domain: '域名，例如“shop.example”，小写，不含协议和端口',
  origin: '来源，例如“https://shop.example”',
  workspace_id: ' 1 到 40 个 a-z、0-9 或“-”，首尾不能是“-”',
  error_code: '错误表中的代码，例如 40403',
  scenario: '含有 name 和 steps 的映射',
  phones_by_name: '由短名称到手机的映射',
  time_limit: ' {s: SECONDS} 或 {ms: MILLISECONDS}，最多 10 分钟',
  scenario_step: ({ words }) => `一个词及其内容，例如 scan: {phone: alice}；可用的词有 ${words.join('、')}`,
  indented_fields: '一个映射：其字段须比它的名称缩进更多',
  something_to_change: '含有要更改内容的映射',
  event_fields: '含有事件字段的映射，例如 kind: message',
  phone_fields: '含有 phone 和手机字段的映射，例如 network: online',
  rps_by_name: '由短名称到 RP 的映射，例如 shop: {rp_id: shop.example}',
  short_name: ' 1 到 64 个字母、数字、“_”和“-”，以字母或“_”开头',
  tag: ' 1 到 64 个字母、数字、“_”和“-”',
  fields_of_one_kind: '同一种事件所具有的字段',
  or_null: ({ expected: wanted }) => `${textOf(expected, wanted)}，或 null`,
  json_of: ({ expected: wanted }) => `一段 JSON 文本，其值应为${textOf(expected, wanted)}`,
  json: ' JSON 文本',
  origins: '来源列表，至少一项',
  secret_key: '秘密密钥',
  public_key: ' base64url 形式的 COSE 公钥',
  uuid: '一个 UUID',
  format_name: '格式名称',
  phone_fault: ({ near }) =>
    `手机故障的一个名称（handset faults，GET /faults）${near === undefined ? '' : `，例如 ${near}`}`,
  service_fault: '目录中的一个名称（handset faults --service，GET /service-faults）',
  etag: '一个带引号的 ETag，或 *',
  certificate: '一个 PEM 形式的 X.509 证书，或其 base64 形式的 DER',
  moment: '一个时间，例如 2030-01-01T12:00:00Z，从 1970 年到 9999 年',
  picture: ' base64 形式的 PNG 或 JPEG',
  regular_expression: ({ error }) => `一个正则表达式${error === undefined ? '' : `（${error}）`}`,
  glob: '一段含有 * 和 ? 的文本',
  row_of: ({ table }) => `“${table}”中某一行的 id`,
  fit_for_row: '与该行其余部分相符的值',
  id_of_document: '其文档所具有的 id',
  stored_value: '手机在该处存储的内容',
  base64url_bytes: ({ least, most }) => ` ${least === most ? most : `${least} 到 ${most}`} 字节的 base64url`,
  base64url_characters: ({ count }) => ` 1 到 ${count} 个不含填充的 base64url 字符`,
}

export const phoneProblems: Messages['phoneProblems'] = {
  no_such_phone: '没有这部手机。',
  no_such_prompt: '这部手机没有收到该请求。',
  no_such_notification: '这部手机没有这条通知。',
  no_such_credential: '这部手机没有这个凭据。',
  no_such_account: '没有可共用其账户的手机。',
  no_such_fault: '没有这个名称的故障。',
  invalid_fault: '故障可预置 1 到 1000 次，或按 0 到 1 的概率发生。',
  fault_not_felt: '这部手机不会出现这种故障。',
  unknown_model: '没有这个型号的手机。',
  unknown_algorithm: '这个型号的手机不能生成这种算法的密钥。',
  too_many_phones: '手机数量已达上限。',
  lost: '这部手机已丢失。',
  offline: '这部手机处于离线状态。',
  signed_out: '这部手机已退出登录。',
  already_signed_in: '这部手机已经登录。',
  unreadable_picture: '无法读取这张图片，仅支持 PNG 和 JPEG。',
  camera_failed: '读取二维码的线程出错，请重新扫描。',
  no_code: '图片中没有二维码。',
  not_ours: '这个二维码不是登录码。',
  foreign_code: '这个二维码属于另一个服务。',
  unreachable: '无法连接服务。',
  timed_out: '服务没有及时响应。',
  garbled: '这部手机无法理解服务的响应。',
  service_refused: '服务拒绝了请求。',
  account_taken: '该账户已经存在，而这部手机没有该账户的机密。',
  message_not_found: '该请求不存在，或者已经失效。',
  bound_elsewhere: '另一部手机已扫描此二维码。',
  expired: '该请求已过期。',
  wrong_state: '该请求已无法应答。',
  answered_differently: '此前已对该请求作出不同的应答。',
  no_origin: '发起请求的网站没有可供手机签名的地址。',
  no_matching_credential: '这部手机没有可用于此次登录的凭据。',
  already_registered: '这部手机已有此账户的凭据。',
  unsupported_algorithm: '这部手机不支持网站接受的任何签名算法。',
  cannot_authenticate: '这部手机无法完成网站的要求。',
  user_rejected: '你已拒绝。',
  fingerprint_failed: '指纹未能识别。',
  vault_missing: '该账户创建时没有机密，因此没有云端存储。',
  vault_conflict: '该账户的另一部手机同时修改了此凭据。',
  vault_unreadable: '云端返回的内容不是由该账户加密的。',
  not_accepted: '服务没有接受应答。',
  app_killed: '应用在应答之前被关闭。',
  not_saved: '手机无法保存；此后的变化只保留在内存中。',
  busy: '手机正在应答此请求。',
  closed: '手机正在关机。',
}
