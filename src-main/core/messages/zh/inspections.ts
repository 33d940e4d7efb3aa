import type { inspectionChecks as enChecks, inspectionWants as enWants } from '../en/inspections.ts'

export const inspectionChecks: Readonly<Record<keyof typeof enChecks, string>> = {
  certificate_time: '目前在有效期内',
  certificate_signature: '由其颁发者签名',
  signature: '签名有效',
  date: 'X-Svc-Date 是日期',
  date_form: 'X-Svc-Date 的格式为 YYYYMMDDTHHMMSSZ',
  date_does_not_exist: 'X-Svc-Date 是日历上存在的日期',
  access_key: '由给定的访问密钥签名',
  jws_not_signed: '已签名：其算法为 none',
  pem_unreadable: 'BEGIN 与 END 之间的内容可以读取',
  hybrid_code_unreadable: '其中的数字是 CBOR',
  algorithm_expected: '算法为 SVC-HMAC-SHA256',
  authorization_parts: '由两部分或三部分组成',
  key_and_scope_expected: '指明访问密钥和范围',
  signed_headers_form: '已签名的标头为小写名称，以 ; 分隔',
  signed_headers_order: '已签名的标头按升序排列',
  signature_form: '签名为 64 位小写十六进制数',
}

export const inspectionWants: Readonly<Record<keyof typeof enWants, string>> = {
  options: '--options FILE：它所应答的选项',
  origin: '--origin URL：浏览器应当所在的来源',
  'public-key': '--public-key KEY：应当用于签名的公钥',
  'access-key': '--access-key ID:SECRET：应当用于签名的访问密钥',
  certificate: '签发它的证书，放在同一 PEM 中、位于其后',
}
