/** Each text of the messages as its own code: whatever reads a sentence no longer finds one. */
export const inCodes = (/** @type {Readonly<Record<string, object>>} */ messages) =>
  Object.fromEntries(
    Object.entries(messages).map(([table, texts]) => [
      table,
      Object.fromEntries(
        Object.entries(texts).map(([code, text]) => [code, typeof text === 'function' ? () => code : code]),
      ),
    ]),
  )

const MODULE = /\/src-main\/messages\/en\/en\.ts$/

/** The module of the English messages, so that it exports codes; undefined for any other module. */
export const moduleInCodes = (/** @type {string} */ path, /** @type {string} */ source) =>
  MODULE.test(path)
    ? `import { inCodes } from ${JSON.stringify(import.meta.url)}\n${source.replace(/export const en = (\{[\s\S]*?\n?\})\n/, 'export const en = inCodes($1)\n')}`
    : undefined
