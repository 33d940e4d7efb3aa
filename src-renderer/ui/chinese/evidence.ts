/** The judge's few words about what it expected and what it got; data, which has no language, stays as it is. */
const WORDS: Readonly<Record<string, string>> = {
  nothing: '无',
  text: '文本',
  'true or false': 'true 或 false',
  'nothing, or crossOrigin true': '无，或 crossOrigin 为 true',
  'a map': '映射',
  'an object': '对象',
  'an object with the status "present" or "supported"': 'status 为“present”或“supported”的对象',
  'a registration': '注册的应答',
  'an authentication': '认证的应答',
  'may be backed up': '可备份',
  'bound to one device': '仅限一台设备',
  'backed up': '已备份',
  'not backed up': '未备份',
  'BS not set, as BE is not': 'BS 未置位，因为 BE 未置位',
  'a DER sequence of two positive integers (ECDSA-Sig-Value)': '由两个正整数组成的 DER 序列（ECDSA-Sig-Value）',
  'basic constraints with CA false': 'CA 为 false 的基本约束',
  '16 bytes in an OCTET STRING of their own': '单独封装在 OCTET STRING 中的 16 个字节',
  'a two-letter country code': '两个字母的国家代码',
  'the legal name of the vendor': '厂商的法定名称',
  'a name of the vendor’s choosing': '厂商自选的名称',
  'an empty name': '空名称',
  'no directory name': '没有目录名称',
  'signed by itself': '由自身签名',
  'a key of another kind': '其他种类的密钥',
  'publicKeyAlgorithm: a number': 'publicKeyAlgorithm：数字',
  'transports: an array of names': 'transports：名称数组',
  'too short': '过短',
  'ctsProfileMatch true': 'ctsProfileMatch 为 true',
}

const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/^(UP|UV|BE|BS|AT|ED) set$/, '$1 已置位'],
  [/^(UP|UV|BE|BS|AT|ED) not set$/, '$1 未置位'],
  [/^([\d,]+) bytes$/, '$1 个字节'],
  [/^([\d,]+) bytes or more$/, '不少于 $1 个字节'],
  [/^at most ([\d,]+) bytes$/, '不超过 $1 个字节'],
  [/^([\d,]+) to ([\d,]+) bytes$/, '$1 到 $2 个字节'],
  [/^([\d,]+) bytes, which looks like r and s side by side$/, '$1 个字节，像是 r 与 s 直接拼接'],
  [/^([\d,]+) bytes that are no such sequence$/, '$1 个字节，不是这样的序列'],
  [/^more than (\d+)$/, '大于 $1'],
  [/^(\d+) roots$/, '$1 个根证书'],
  [/^(\d+) members$/, '$1 个成员'],
  [/^an array of (\d+)$/, '$1 项的数组'],
  [/^one of (\d+) credentials$/, '$1 个凭据之一'],
  [/^at most (\d+) between$/, '中间最多 $1 个'],
  [/^in force at (.+)$/, '在 $1 有效'],
  [/^within a minute before (.+)$/, '$1 之前一分钟内'],
  [/^truncated at byte (\d+)$/, '在第 $1 字节处截断'],
  [/^indefinite length at byte (\d+)$/, '第 $1 字节处长度不确定'],
  [/^reserved value at byte (\d+)$/, '第 $1 字节处是保留值'],
  [/^(\w+): base64url text$/, '$1：base64url 文本'],
  [/^(\w+): character (\d+) is not in the base64url alphabet$/, '$1：第 $2 个字符不属于 base64url 字母表'],
  [/^signed by (.+)$/, '由 $1 签名'],
  [/^(\S+Z) to (\S+Z) \((.+)\)$/, '$1 至 $2（$3）'],
  [/^(\w+) as text$/, '$1 为文本'],
  [/^(\w+) as a map$/, '$1 为映射'],
  [/^(\w+) as a number$/, '$1 为数字'],
  [/^(\w+) as bytes$/, '$1 为字节串'],
  [/^(\w+) without leading zeros$/, '$1 不带前导零'],
]

export const evidence = (told: string): string | undefined => {
  const words = Object.hasOwn(WORDS, told) ? WORDS[told] : undefined
  if (words !== undefined) return words
  const shape = SHAPES.find(([pattern]) => pattern.test(told))
  if (shape !== undefined) return told.replace(...shape)
  // Several that would do, each as JSON.
  return /^"[^"]*"( or "[^"]*")+$/.test(told) ? told.replaceAll('" or "', '" 或 "') : undefined
}
