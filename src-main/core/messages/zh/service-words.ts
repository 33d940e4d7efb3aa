import type { ProfileKey, profileSettings, RelaxableRule } from '../../contract/profile.ts'
import { mapValues } from '../../protocol/json.ts'

/** Product names are not translated. */
export const phoneModels = {
  'cloud-pebble': 'Cloud Pebble：同步凭据，无证明',
  'granite-one': 'Granite One：安全芯片，packed 证明，批次证书',
  'granite-self': 'Granite Self：安全芯片，packed 自证明',
  'granite-plain': 'Granite Plain：packed 证明，证书不写型号，证书链带有根证书',
  'granite-both': 'Granite Both：复合证明（compound），由批次与密钥库各出具一份',
  'edwards-two': 'Edwards Two：安全芯片中的 Ed25519，packed 证明',
  'orchard-key': 'Orchard Key：每个凭据一个匿名证书，如 Apple 的做法',
  'orchard-2020':
    'Orchard 2020：声明中带有 alg，如 Apple 在 2020 年和 2021 年的做法；需要在 judge_relaxes 中选择 apple-alg',
  'droid-keystore': 'Droid Keystore：硬件密钥证明，如 Android 的做法',
  'droid-strongbox': 'Droid StrongBox：密钥在独立芯片中，使用 KeyMint',
  'droid-software': 'Droid Software：没有硬件保护的 Android 密钥',
  'droid-classic': 'Droid Classic：SafetyNet 证明，如旧版 Android 的做法',
  'slate-tpm': 'Slate TPM：可信平台模块中的 RSA 密钥，如 Windows 的做法',
  'slate-ecc': 'Slate ECC：可信平台模块中的椭圆曲线密钥，用 SHA-256 证明',
  'token-u2f': 'Token U2F：手机背后的旧式安全密钥，不支持可发现凭据',
  'stuck-counter': 'Stuck Counter：计数器从不增长的问题固件',
  'long-id': 'Long ID：1,023 字节的凭据 ID，即允许的最大长度',
  'lattice-three': 'Lattice Three：后量子 ML-DSA 密钥，packed 证明',
  'every-algorithm': 'Every Algorithm：服务首选什么算法就用什么',
} as const

const profileWords = {
  authorization_forms: { name: 'Authorization 的形式', sentence: '接受 Authorization 标头的哪些形式。' },
  canonical_uri: {
    name: '规范请求中的路径',
    sentence: '规范请求中的路径：与请求行完全相同，或者每一段再做一次百分号编码。',
  },
  clock_skew_s: { name: '时钟差', sentence: 'X-Svc-Date 与服务时间最多可以相差多少。' },
  skew_clock: { name: '校验日期所用时钟', sentence: '用哪个时钟判定 X-Svc-Date：真实时间，或者工作区的时钟。' },
  require_signed_date: { name: '日期必须签名', sentence: '已签名标头中是否必须包含 x-svc-date。' },
  short_form_identifiers: {
    name: '短格式的标识',
    sentence: '短格式签名另外尝试的范围标识；空标识、访问密钥 ID、日期、RP 的编号和 RP ID 总会尝试。',
  },
  explain_signatures: { name: '解释签名不一致', sentence: '签名不一致时，是否给出服务计算所用的文本。' },
  message_ttl_s: { name: '应答时限', sentence: '一个请求在多长时间内可以应答。' },
  final_result: { name: '读取结果', sentence: 'success 与 fail 只报告一次，还是可以反复读取。' },
  unknown_user: {
    name: '没有通行密钥的用户',
    sentence: '没有凭据的用户发起登录时：直接拒绝，或者生成一条无人能应答的消息。',
  },
  empty_optional: { name: '空的可选字段', sentence: '可选字段的值为 null 或空字符串时：视为未提供，或者拒绝。' },
  user_id_max: { name: '用户 ID 最大长度', sentence: 'user_id 的最大长度。' },
  username_max: { name: '用户名最大长度', sentence: 'username 的最大长度。' },
  display_name_max: { name: '显示名称最大长度', sentence: 'display_name 的最大长度。' },
  credential_name_max: { name: '通行密钥名称最大长度', sentence: 'credential_name 的最大长度。' },
  credentials_per_user: { name: '每位用户的通行密钥数', sentence: '一位用户最多可以有多少个凭据。' },
  attestation_conveyance: { name: '要求的证明方式', sentence: '选项中要求的证明方式。' },
  user_verification: { name: '用户验证', sentence: '选项中要求的用户验证。' },
  resident_key: { name: '可发现凭据', sentence: '选项中是否要求可发现凭据。' },
  hints: { name: '提示', sentence: '选项中提示使用的认证器，最希望的在前。' },
  attestation_formats: { name: '证明格式', sentence: '选项中偏好的证明格式，最希望的在前。' },
  extensions: {
    name: '扩展',
    sentence:
      '选项中请求的扩展：credProtect 为级别 2，prf 对每位用户使用一个输入，largeBlob 为读取。判定时将其输出与请求比较。',
  },
  algorithms: { name: '算法', sentence: '选项中列出且判定时接受的签名算法。' },
  attestation: { name: '对证明的信任', sentence: '证明是否必须追溯到受信任的根证书。无论如何都会验证签名和格式规则。' },
  counter_regression: { name: '计数器未增长', sentence: '签名计数器没有增长时如何处理。' },
  second_opinion: { name: '复核', sentence: '是否由第二个验证器复核每次流程，以及结果是否必须一致。' },
  top_origins: { name: '允许嵌入的网站', sentence: '允许嵌入 RP 的页面来源；留空则拒绝跨源流程。' },
  judge_relaxes: { name: '放宽的规则', sentence: '判定时放宽的规则。每一项都容许真实设备上已知的一种做法。' },
  http_status: {
    name: '错误的 HTTP 状态',
    sentence: '错误使用各自的 HTTP 状态，还是一律返回 200、由信封中的代码区分。',
  },
  rate_limit_per_minute: {
    name: '每分钟请求数',
    sentence: '每个访问密钥每分钟的请求数，超出后返回 42901；0 表示不限。',
  },
} as const satisfies Record<ProfileKey, { readonly name: string; readonly sentence: string }>

export const profileNames = mapValues(profileWords, ({ name }) => name)

export const profileSentences = mapValues(profileWords, ({ sentence }) => sentence)

type Settings = typeof profileSettings
type UnitOf<Setting> = Setting extends { readonly rule: { readonly unit: infer Unit extends string } } ? Unit : never

export const profileGroups = {
  Signing: '签名',
  Messages: '消息',
  Users: '用户',
  Ceremonies: '流程',
  Judge: '判定',
  Errors: '错误',
  Limits: '限制',
} as const satisfies Record<Settings[ProfileKey]['group'], string>

export const profileUnits = { s: '秒', characters: '字符', requests: '次' } as const satisfies Record<
  { [Key in ProfileKey]: UnitOf<Settings[Key]> }[ProfileKey],
  string
>

export const relaxedRules = {
  'u2f-aaguid': '接受 AAGUID 不为零的 fido-u2f 证明：该规则出自 FIDO，而非 WebAuthn。',
  'tpm-manufacturer': '接受厂商未在 TCG 登记的 TPM 证书。',
  'tpm-sha1-names': '接受用 SHA-1 生成的 TPM 名称，最早的 TPM 2.0 就是这样做的。',
  'android-key-authorizations': '接受没有说明密钥来源和用途的 android-key 证明。',
  'apple-alg': '接受带有 alg 成员的 apple 证明，Apple 设备在 2020 年和 2021 年就是这样发送的。',
  'certificate-unused-bits': '接受签名声称含有未用位的证书，Yubico 最早的 Security Key 就是如此。',
  'non-canonical-cbor': '接受不符合 CTAP2 规范形式的 CBOR，2018 年和 2019 年的一些浏览器就是这样写的。',
  'reserved-flags': '接受设置了保留标志位的认证器数据。',
  'token-binding': '接受任何形式的 tokenBinding，2018 年的浏览器会在客户端数据中写入它。',
} as const satisfies Record<RelaxableRule, string>
