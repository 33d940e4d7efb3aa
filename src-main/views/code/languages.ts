export const LANGUAGE_NAMES = { curl: 'curl', node: 'Node', python: 'Python', java: 'Java', go: 'Go' } as const

export type CodeLanguage = keyof typeof LANGUAGE_NAMES

export const CODE_LANGUAGES = Object.keys(LANGUAGE_NAMES) as readonly CodeLanguage[]
