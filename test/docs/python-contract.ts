import { messageState } from '../../src-main/core/contract/control/credential-routes.ts'
import { armedFault, phonePrompt, phoneState } from '../../src-main/core/contract/control/phone-state.ts'
import { routes } from '../../src-main/core/contract/control/routes.ts'
import { deprecatedText, type JsonSchema, type Route, type RouteTable } from '../../src-main/core/contract/schema.ts'
import { contractFacts } from './contract-facts.ts'

const NAMED: readonly (readonly [string, object])[] = [
  ['PhoneState', phoneState],
  ['Prompt', phonePrompt],
  ['ArmedFault', armedFault],
  ['Message', messageState],
]

/** Words of Python that no field of a class can be called. */
const KEYWORDS = new Set(['as', 'class', 'from', 'in', 'is', 'not', 'pass'])

const textOf = (schema: object): string => JSON.stringify(schema)
const pascal = (words: string): string =>
  words.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Types of Python for schemas: closed lists become Literal, objects TypedDict, each written once. */
const typeWriter = () => {
  const names = new Map(NAMED.map(([name, schema]) => [textOf(schema), name]))
  const taken = new Set(names.values())
  const written = new Map<string, string>()

  const typeOf = (schema: JsonSchema, hint: string): string => {
    if (schema.anyOf !== undefined) {
      return [...new Set(schema.anyOf.map((each, i) => typeOf(each, hint + (i === 0 ? '' : i + 1))))].join(' | ')
    }
    if (schema.enum !== undefined) return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`
    if (schema.const !== undefined)
      return schema.const === true ? 'Literal[True]' : `Literal[${JSON.stringify(schema.const)}]`
    switch (schema.type) {
      case 'string':
        return 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      case 'array':
        return `List[${typeOf(schema.items ?? {}, `${hint}Item`)}]`
      case 'object':
        return schema.properties === undefined ? 'Dict[str, Any]' : nameOf(schema, hint)
      default:
        return 'Any'
    }
  }

  const nameOf = (schema: JsonSchema, hint: string): string => {
    const text = textOf(schema)
    let name = names.get(text)
    if (name === undefined) {
      name = hint
      for (let i = 2; taken.has(name); i++) name = `${hint}${i}`
      names.set(text, name)
      taken.add(name)
    }
    if (!written.has(name)) {
      written.set(name, '')
      written.set(name, typedDict(name, schema))
    }
    return name
  }

  const typedDict = (name: string, { properties = {}, required = [] }: JsonSchema): string => {
    if (Object.keys(properties).some((key) => KEYWORDS.has(key))) {
      const fields = Object.entries(properties).map(
        ([key, schema]) => `    "${key}": ${JSON.stringify(typeOf(schema, name + pascal(key)))},`,
      )
      return [`${name} = TypedDict("${name}", {`, ...fields, '}, total=False)'].join('\n')
    }
    const lines = (wanted: boolean): readonly string[] =>
      Object.entries(properties)
        .filter(([key]) => required.includes(key) === wanted)
        .map(([key, schema]) => `    ${key}: ${typeOf(schema, name + pascal(key))}`)
    const [must, may] = [lines(true), lines(false)]
    if (may.length === 0) return [`class ${name}(TypedDict):`, ...(must.length === 0 ? ['    pass'] : must)].join('\n')
    if (must.length === 0) return [`class ${name}(TypedDict, total=False):`, ...may].join('\n')
    return [`class _${name}(TypedDict):`, ...must, '', '', `class ${name}(_${name}, total=False):`, ...may].join('\n')
  }

  return { typeOf, all: () => [...written.values()] }
}

type Argument = { readonly name: string; readonly type: string; readonly must: boolean }

const method = (id: string, route: Route, typeOf: (schema: JsonSchema, hint: string) => string): string => {
  const hint = pascal(id)
  const argumentsOf = (schema: JsonSchema | undefined, place: string): readonly Argument[] => {
    const objects = schema?.anyOf ?? (schema === undefined ? [] : [schema])
    const found = objects.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([name, each]) => ({
        name,
        type: typeOf(each, hint + place + pascal(name)),
        must: required.includes(name) && objects.length === 1,
      })),
    )
    return [...new Map(found.map((argument) => [argument.name, argument])).values()]
  }
  const body = route.body as JsonSchema | undefined
  // A document of any form, instead of named fields.
  const whole = body !== undefined && body.properties === undefined && body.anyOf === undefined
  const parts = {
    params: argumentsOf(route.params as JsonSchema | undefined, ''),
    query: argumentsOf(route.query as JsonSchema | undefined, 'Query'),
    body: whole ? [] : argumentsOf(body, ''),
  }
  const taken = [...parts.params, ...parts.query, ...parts.body]
  const signature = [
    ...taken.filter(({ must }) => must).map(({ name, type }) => `${name}: ${type}`),
    ...(whole ? ['document: Dict[str, Any]'] : []),
    ...taken.filter(({ must }) => !must).map(({ name, type }) => `${name}: Optional[${type}] = None`),
  ]
  const dict = (list: readonly Argument[]): string => `{${list.map(({ name }) => `"${name}": ${name}`).join(', ')}}`
  const given = [
    `"${route.method}"`,
    `"${route.path}"`,
    ...(parts.params.length === 0 ? [] : [`params=${dict(parts.params)}`]),
    ...(parts.query.length === 0 ? [] : [`query=${dict(parts.query)}`]),
    ...(body === undefined ? [] : [`body=${whole ? 'document' : dict(parts.body)}`]),
  ]
  const name = id.replace(/[^a-z]/g, '_')
  const head = signature.length === 0 ? 'self' : ['self', '*', ...signature].join(', ')
  return [
    `    def ${name}(${head}) -> ${typeOf(route.data as JsonSchema, `${hint}Data`)}:`,
    `        """${route.summary}${route.deprecated === undefined ? '' : ` ${deprecatedText(route.deprecated)}`}"""`,
    ...(route.deprecated === undefined
      ? []
      : [`        self._deprecated(${JSON.stringify(`${name}: ${route.deprecated}`)})`]),
    `        return self._call(${given.join(', ')})`,
  ].join('\n')
}

/** The typed part of clients/python: a class with one method for each route of the control interface. */
export const pythonContract = (table: RouteTable = routes): string => {
  const { typeOf, all } = typeWriter()
  // A stream is no call.
  const calls = Object.entries(table).filter(([, { stream }]) => stream !== true)
  const methods = calls.map(([id, route]) => method(id, route, typeOf))
  const facts = Object.entries(contractFacts).map(([name, value]) => `${name} = ${value}`)
  return `# Made by \`npm run docs\` from src-main/core/contract; edit that instead.
"""The control interface of Handset, version 1: what each call takes and answers."""

from __future__ import annotations

import warnings
from typing import Any, Dict, List, Literal, Optional, TypedDict

${facts.join('\n')}


${all().join('\n\n\n')}


class Calls:
    """Every call of the control interface; what is None is not sent."""

    def _call(self, method: str, path: str, **parts: Any) -> Any:
        raise NotImplementedError

    @staticmethod
    def _deprecated(what: str) -> None:
        warnings.warn(what, DeprecationWarning, stacklevel=3)

${methods.join('\n\n')}
`
}
