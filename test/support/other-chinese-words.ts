/** Words for what has another word in Chinese here. */
export const OTHER_CHINESE_WORDS =
  /依赖方|信赖方|保管库|请求头|往来|批准|凭证|秘钥|密匙|回答|回应|保险库|登陆|帐户|帐号|账号|工作空间|测试台|时间轴|设置(的)?故障|秘密(?!密钥)/u
