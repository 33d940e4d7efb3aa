import type { OpinionParams } from '../../contract/judge/opinion.ts'
import type { Texts } from '../text.ts'

export const opinions: Texts<OpinionParams> = {
  signature_not_verified: '签名未通过验证。',
  credential_not_known: '它需要一个已知的凭据。',
  algorithm_not_known: ({ algorithm }) => `它不支持 ${algorithm}。`,
  no_library_has: ({ algorithm }) => `现有的库都不支持 ${algorithm}。`,
  numbers_not_read: '它不能读取半精度浮点数和 2^53 及以上的整数。',
  compound_not_known: '它不支持复合证明（compound）。',
  safetynet_by_real_clock: '它要求 SafetyNet 响应来自真实时钟的最近一分钟。',
  rsa_taken_for_pkcs1: '它把证书中的每个 RSA 密钥都当作 PKCS #1 密钥。',
  certificate_key_not_read: '它不能读取含有这种密钥的证明证书。',
  revocation_list_named: '有证书指定了吊销列表，而它会去获取该列表。',
  certificates_by_real_clock: '它按真实时钟判断证书，而结果与按工作区时钟判断的不同。',
  android_root_wanted: '它要求 Android 密钥的证书链包含根证书。',
  root_taken_for_duplicate: '它把随证书链提供的根证书当作重复项。',
}
