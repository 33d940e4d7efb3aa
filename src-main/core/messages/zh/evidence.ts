import type { CertificatePart, MemberType, ReadingFault } from '../../contract/judge/evidence.ts'
import { isoTime } from '../../protocol/time.ts'
import type { Messages } from '../messages.ts'
import { joinWithSpaces } from './spaced.ts'

const TYPES: Readonly<Record<MemberType, string>> = {
  text: '文本',
  map: '映射',
  number: '数字',
  bytes: '字节串',
  byte_arrays: '字节串数组',
  statements: '由两个或更多证明声明组成的数组',
  names: '名称数组',
  base64url: 'base64url 文本',
  object: '对象',
  boolean: 'true 或 false',
}

const FAULTS: Readonly<Record<ReadingFault, string>> = {
  truncated: '被截断',
  indefinite_length: '长度不确定',
  reserved_value: '使用了保留值',
  text_not_utf8: '文本不是 UTF-8',
  too_deep: '嵌套过深',
  too_many_items: '数据项过多',
  too_many_elements: '元素过多',
  length_not_minimal: '长度不是最短形式',
  tag_not_minimal: '标签不是最短形式',
  trailing_bytes: '有多余的字节',
}

const PARTS: Readonly<Record<CertificatePart, string>> = {
  signed_sequence: '不是已签名的序列',
  version: '版本',
  serial_number: '序列号',
  issuer: '颁发者',
  subject: '主体',
  validity: '有效期',
  public_key: '公钥',
  signature_algorithm: '签名算法',
  extensions: '扩展',
}

export const evidence: Messages['evidence'] = {
  nothing: '无',
  text: '文本',
  map: '映射',
  object: '对象',
  array: ({ count }) => `${count} 项的数组`,
  cut_text: ({ text, count }) => `${text}…（共 ${count} 个字符）`,
  cut_bytes: ({ hex, count }) => `${hex}…（共 ${count} 个字节）`,
  any_of: ({ values }) => values.join(' 或 '),

  bytes: ({ count }) => `${count} 个字节`,
  bytes_at_least: ({ count }) => `不少于 ${count} 个字节`,
  bytes_at_most: ({ count }) => `不超过 ${count} 个字节`,
  bytes_between: ({ least, most }) => `${least} 到 ${most} 个字节`,
  bytes_left_over: ({ count }) => `多出 ${count} 个字节`,
  members: ({ count }) => `${count} 个成员`,
  roots: ({ count }) => `${count} 个根证书`,
  more_than: ({ count }) => `大于 ${count}`,
  one_of_credentials: ({ count }) => `${count} 个凭据之一`,
  certificates_between: ({ count }) => `最多 ${count} 个中间证书`,

  registration: '注册的应答',
  authentication: '认证的应答',
  member: ({ name, type }) => `${name}：${TYPES[type]}`,
  member_at_most: ({ name, count }) => `${name}：不超过 ${count} 个字符`,
  base64url_character: ({ name, at }) => `${name}：第 ${at} 个字符不属于 base64url 字母表`,
  base64url_length: ({ name }) => `${name}：base64url 文本不会有这个长度`,
  base64url_last_bits: ({ name }) => `${name}：最后一个字符带有不属于任何字节的位`,
  no_leading_zeros: ({ name }) => joinWithSpaces`${name}不带前导零`,

  true_or_false: 'true 或 false',
  nothing_or_cross_origin: '无，或 crossOrigin 为 true',
  token_binding: 'status 为“present”或“supported”的对象',
  flag_set: ({ flag }) => `${flag} 已置位`,
  flag_not_set: ({ flag }) => `${flag} 未置位`,
  backup_state_not_set: 'BS 未置位，因为 BE 未置位',
  backup_eligible: '可备份',
  device_bound: '仅限一台设备',
  backed_up: '已备份',
  not_backed_up: '未备份',

  fault_at: ({ fault, byte }) => `第 ${byte} 个字节处${FAULTS[fault]}`,
  key_type_for: ({ type, algorithm }) => `${type}（对应 ${algorithm}）`,
  ecdsa_signature: '由两个正整数组成的 DER 序列（ECDSA-Sig-Value）',
  raw_ecdsa_signature: ({ count }) => `${count} 个字节，像是 r 与 s 直接拼接`,
  no_ecdsa_signature: ({ count }) => `${count} 个字节，不是这样的序列`,

  certificate_fault: ({ index, fault, byte }) => `证书 ${index}：第 ${byte} 个字节处${FAULTS[fault]}`,
  certificate_size: ({ index, count }) => `证书 ${index}：${count} 个字节`,
  certificate_part: ({ index, part }) => `证书 ${index}：${PARTS[part]}`,
  certificate_key_other: '其他种类的密钥',
  in_force_at: ({ time }) => `在 ${isoTime(time)} 有效`,
  in_force_between: ({ from, to, name }) => `${isoTime(from)} 至 ${isoTime(to)}（${name}）`,
  signed_by: ({ name }) => joinWithSpaces`由${name}签名`,
  signed_by_itself: '由自身签名',
  empty_name: '空名称',
  no_directory_name: '没有目录名称',
  extension_malformed: '扩展无法读取',
  not_a_ca: 'CA 为 false 的基本约束',
  aaguid_octets: '单独封装在 OCTET STRING 中的 16 个字节',
  country_code: '两个字母的国家代码',
  vendor_name: '厂商的法定名称',
  common_name: '厂商自选的名称',

  tpm_too_short: '过短',
  tpm_type: ({ type }) => `类型 ${type}，既不是 RSA 也不是 ECC`,
  tpm_curve: ({ curve }) => `曲线 ${curve}`,
  tpm_modulus: ({ bits, count }) => `${bits} 位，但模数有 ${count} 个字节`,
  tpm_coordinates: '坐标的长度超出曲线',

  device_intact: 'ctsProfileMatch 为 true',
  minute_before: ({ time }) => `${time} 之前一分钟内`,
}
