import { mapValues } from '../../protocol/json.ts'
import { profileGroups, profileUnits, profileWords, relaxedRules } from './profile.ts'

/** Product names are not translated. */
const phoneModels = {
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

export const chineseServiceWords = {
  phoneModels,
  profileNames: mapValues(profileWords, ({ name }) => name),
  profileSentences: mapValues(profileWords, ({ sentence }) => sentence),
  profileGroups,
  profileUnits,
  relaxedRules,
}
