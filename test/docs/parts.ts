import { MODELS } from '../../src-main/authenticator/models.ts'
import { APP_OPERATIONS } from '../../src-main/contract/app/routes.ts'
import { configSchema } from '../../src-main/contract/config.ts'
import { routes } from '../../src-main/contract/control/routes.ts'
import { SDK_ERRORS } from '../../src-main/sdk/errors.ts'
import { code, codes } from './markdown.ts'
import { schemaRows } from './schema-rows.ts'

/** The tables within pages that are written by hand: each stands between `<!-- made: NAME -->` and `<!-- end -->`. */
const parts: Readonly<Record<string, () => string>> = {
  models: () =>
    Object.values(MODELS)
      .map(({ name, title, algorithms, attestation, storage, counter }) => {
        const rest = [storage === 'chip' ? [] : [storage], counter === 'growing' ? [] : [`counter ${counter}`]].flat()
        return `- ${code(name)} ${title} (${[code(attestation), ...rest].join(', ')}: ${algorithms.join(', ')})`
      })
      .join('\n'),
  behaviour: () => shapeTable(routes['phones.patch'].body.properties.behaviour),
  conditions: () =>
    [
      shapeTable(routes['conditions.put'].body.properties.rp),
      `The operations of \`app\` are ${codes(APP_OPERATIONS)}.`,
    ].join('\n\n'),
  config: () => shapeTable(configSchema, ['phones[].behaviour.']),
  'sdk-errors': () =>
    Object.entries(SDK_ERRORS)
      .map(([name, meaning]) => `- ${code(name)} ${meaning}`)
      .join('\n'),
}

/** The keys of a schema, but not those below `elsewhere`, which another page explains. */
const shapeTable = (schema: object, elsewhere: readonly string[] = []): string =>
  schemaRows(schema)
    .filter(([key = '']) => !elsewhere.some((start) => key.startsWith(`\`${start}`)))
    .map(([key, values, meaning]) => `- ${key} (${values}) ${meaning}`)
    .join('\n')

export const MARKED = /^<!-- made: ([\w-]+) -->\n[\s\S]*?^<!-- end -->$/m

/** A page with its parts made again. */
export const fillParts = (markdown: string): string =>
  markdown.replace(new RegExp(MARKED, 'gm'), (_, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`there is no part "${name}"; known are ${Object.keys(parts).join(', ')}`)
    return `<!-- made: ${name} -->\n\n${part()}\n\n<!-- end -->`
  })
