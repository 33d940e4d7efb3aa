import type { ExpectedParams } from '../../contract/expected.ts'
import { type Texts, textOf } from '../text.ts'

type Range = ExpectedParams['number']

const range = ({ above, least, most }: Range): string => {
  if (above !== undefined) return `大于 ${above}${most === undefined ? '' : `、不超过 ${most}`} 的`
  if (least === undefined) return most === undefined ? '' : `不超过 ${most} 的`
  return most === undefined ? `不小于 ${least} 的` : ` ${least} 到 ${most} 之间的`
}

export const expected: Texts<ExpectedParams> = {
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
  domain: '域名，例如“shop.example”，小写，不含协议和端口',
  origin: '来源，例如“https://shop.example”',
  workspace_id: ' 1 到 40 个 a-z、0-9 或“-”，首尾不能是“-”',
  error_code: '错误表中的代码，例如 40403',
  scenario: '含有 name 和 steps 的映射',
  phones_by_name: '由短名称到手机的映射',
  time_limit: ' {s: SECONDS} 或 {ms: MILLISECONDS}，最多 10 分钟',
  scenario_step: ({ words }) => `一个词及其内容，例如 scan: {phone: alice}；可用的词有 ${words.join('、')}`,
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
