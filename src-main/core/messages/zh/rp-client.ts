import type { RpClientProblemParams, SignedPart, SigningProblemParams } from '../../contract/rp-client-problems.ts'
import { type Texts, textOf } from '../text.ts'

const signedParts: Readonly<Record<SignedPart, string>> = {
  method: '方法',
  path: '路径',
  query: '查询字符串',
  header: '标头',
  signed_headers: '已签名标头列表',
  body_hash: '正文哈希',
}

const quoted = (text: string | undefined): string => (text === undefined ? '无' : JSON.stringify(text))

const quotedName = (field: string): string => `“${field}”`

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

export const rpClient: Texts<RpClientProblemParams> = {
  not_signable: ({ problem }) => `RP 客户端无法签名：${textOf(unsignable, problem)}`,
  not_unicode: ({ name: parameter, got }) =>
    `${quotedName(parameter)} 必须是有效的 Unicode；收到 ${JSON.stringify(got)}。`,
  not_answered: ({ host, why }) => `RP 客户端未收到 ${host} 的响应：${why}。`,
  answer_late: ({ host, ms }) => `${host} 的响应未能在 ${ms} 毫秒内完整到达。`,
  answer_too_large: ({ host, bytes }) => `${host} 的响应超过 ${bytes} 字节。`,
  answer_no_envelope: ({ status }) => `响应（HTTP ${status}）不是规定的信封格式。`,
  answer_unfit: ({ field, expected: wanted, got }) =>
    `响应不符合约定：${quotedName(field)} 必须是 ${wanted}；收到 ${got}。`,
  signed_otherwise: ({ part, header, signed, computed }) =>
    `${header === undefined ? signedParts[part] : `${signedParts[part]} ${quotedName(header)}`} 不一致：RP 客户端签的是 ${quoted(signed)}，服务计算的是 ${quoted(computed)}。`,
  signed_alike: '双方计算出的规范请求相同：密钥或范围与此访问密钥不符。',
}
