export const LANGUAGE_NAMES = { curl: 'curl', node: 'Node', python: 'Python', java: 'Java', go: 'Go' } as const

export type CodeLanguage = keyof typeof LANGUAGE_NAMES

export const CODE_LANGUAGES = Object.keys(LANGUAGE_NAMES) as readonly CodeLanguage[]

/** Variables that the code reads its secret from: the key of an RP, the token of a phone. */
export const SECRET_KEY = 'SECRET_KEY'
export const DEVICE_TOKEN = 'DEVICE_TOKEN'
