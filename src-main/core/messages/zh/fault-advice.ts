import type { FaultTopic, Should } from '../../contract/fault-advice.ts'
import type { SeenBy } from '../../contract/rp-care.ts'
import type { ServiceFaultGroup } from '../../contract/service-fault.ts'

export const shoulds: Readonly<Record<Should, string>> = {
  refuse: '拒绝',
  accept: '接受',
  expire: '让它过期',
  ask_again: '再次查询',
  limit: '设置上限',
  check: '自行检查',
  ignore: '忽略',
  escape: '作为文本显示',
}

export const seenBy: Readonly<Record<SeenBy, string>> = {
  careful: '谨慎的银行可以显示',
  careless: '轻信的银行可以显示',
  either: '两种银行都可以显示',
  neither: '在手机和时间线上可以看到',
}

export const serviceFaultGroups: Readonly<Record<ServiceFaultGroup, string>> = {
  identity: '谁登录了',
  status: '发生了什么',
  address: '地址及其有效期',
  credentials: '凭据',
  envelope: '响应的外层',
  body: '正文',
  http: 'HTTP 头与状态',
  connection: '连接',
}

export const phoneFaultGroups: Readonly<Record<string, string>> = {
  'client data': '客户端数据',
  'authenticator data': '认证器数据',
  attestation: '证明',
  'assertion signature': '签名',
  protocol: '调用顺序',
  transport: '网络',
  time: '时间',
}

export const faultTopics: Readonly<Record<FaultTopic, string>> = {
  timeout: '超时 慢 迟到 卡住 延迟 等待 过期 timeout',
  cancel: '取消 中止 拒绝 cancel reject',
  network: '网络 离线 连接 断开 丢失 代理 网关 network http 502',
  signature: '签名 验签 无效 密钥 算法 signature hmac',
  mismatch: '40104 signature_mismatch 签名不符',
  phishing: '钓鱼 仿冒 来源 域名 phishing origin',
  replay: '重放 重复 再次 克隆 计数器 replay',
  identity: '身份 他人 别人 用户 账户 接管 冒充 identity',
  encoding: '编码 字符集 大小写 空格 encoding unicode base64',
  malformed: '格式错误 损坏 解析 缺失 空 malformed json cbor null',
  certificate: '证书 证明 信任 根 certificate x509 ca',
  injection: '注入 脚本 标记 转义 injection xss html',
  clock: '时钟 偏差 日期 时间 过期 clock',
  rate: '限流 频率 过多 rate limit 429 42901',
}
