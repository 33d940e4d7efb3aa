/** `exchange-row-time` for `.time` of exchange-row.module.css: readable in every build, since no two modules share a name. */
export const styleModules = {
  localsConvention: 'camelCaseOnly',
  generateScopedName: (name: string, file: string): string =>
    `${/([^/\\]+)\.module\.css/.exec(file)?.[1] ?? ''}-${name}`,
} as const
