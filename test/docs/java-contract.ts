import { routes } from '../../src-main/core/contract/control/routes.ts'
import type { JsonSchema, Route, RouteTable } from '../../src-main/core/contract/schema.ts'
import { contractFacts } from './contract-facts.ts'

const camel = (words: string): string =>
  words.replace(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const TYPES: Readonly<Record<string, string>> = {
  string: 'String',
  integer: 'long',
  number: 'double',
  boolean: 'boolean',
  array: 'List<?>',
  object: 'Map<String, ?>',
}

type Argument = { readonly name: string; readonly type: string }

/** What must be given, by name; the rest goes into one map. */
const argumentsOf = (schema: object | undefined): { readonly must: readonly Argument[]; readonly more: boolean } => {
  if (schema === undefined) return { must: [], more: false }
  const { properties, required = [] }: JsonSchema = schema
  if (properties === undefined) return { must: [], more: true }
  const must = Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .map(([name, { type = 'object' }]) => ({ name, type: TYPES[type] ?? 'Object' }))
  return { must, more: Object.keys(properties).length > must.length }
}

const method = (id: string, { method: verb, path, summary, deprecated, params, query, body }: Route): string => {
  const parts = { params: argumentsOf(params), query: argumentsOf(query), body: argumentsOf(body) }
  const must = [parts.params, parts.query, parts.body].flatMap((part) => part.must)
  const more = parts.query.more || parts.body.more ? ['Map<String, ?> more'] : []
  const list = [...must.map(({ name, type }) => `${type} ${camel(name)}`), ...more].join(', ')
  const map = (part: (typeof parts)['params']): string => {
    const pairs = part.must.map(({ name }) => `"${name}", ${camel(name)}`).join(', ')
    if (!part.more) return pairs === '' ? 'Map.of()' : `Map.of(${pairs})`
    return pairs === '' ? 'more' : `with(more, ${pairs})`
  }
  const sent = [
    `"${verb}"`,
    `"${path}"`,
    map(parts.params),
    map(parts.query),
    body === undefined ? 'null' : map(parts.body),
  ]
  return [
    ...headOf(summary, deprecated),
    `    public Json ${camel(id)}(${list}) {`,
    `        return call(${sent.join(', ')});`,
    '    }',
  ].join('\n')
}

const headOf = (summary: string, deprecated: string | undefined): readonly string[] => {
  const plain = (text: string): string => text.replaceAll('{@', '{')
  if (deprecated === undefined) return [`    /** ${plain(summary)} */`]
  return [
    '    /**',
    `     * ${plain(summary)}`,
    `     * @deprecated ${plain(deprecated)}`,
    '     */',
    '    @Deprecated',
  ]
}

/** The part of clients/java that is made from the contract: one method for each route of the control interface. */
export const javaContract = (table: RouteTable = routes): string => {
  const facts = Object.entries(contractFacts).map(([name, value]) => `    static final int ${name} = ${value};`)
  const calls = Object.entries(table).filter(([, { stream }]) => stream !== true)
  return `// Made by \`npm run docs\` from src-main/core/contract; edit that instead.
package local.handset;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every call of the control interface, version 1: what must be given is an argument, what may be is in \`more\`. */
public abstract class Calls {
${facts.join('\n')}

    abstract Json call(String method, String path, Map<String, ?> params, Map<String, ?> query, Map<String, ?> body);

    static Map<String, ?> with(Map<String, ?> more, Object... pairs) {
        var all = new HashMap<String, Object>(more);
        for (int i = 0; i < pairs.length; i += 2) all.put((String) pairs[i], pairs[i + 1]);
        return all;
    }

${calls.map(([id, route]) => method(id, route)).join('\n\n')}
}
`
}
