import * as Type from 'typebox'
import { mapValues } from '../protocol/json.ts'
import type { Exact, Result } from '../protocol/result.ts'
import { type ErrorName, type Expected, errors, type Refusal } from './errors.ts'

export type Schema = Type.TSchema

/** As much of JSON Schema as the contract uses, for code that reads a schema. */
export type JsonSchema = {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly writeOnly?: boolean
  readonly deprecated?: boolean
  readonly 'x-expected'?: Expected
  /** An alternative that error messages do not mention. */
  readonly 'x-aside'?: true
}

/** The first argument may be a description, as in `text` and `whole`. */
type ObjectMaker = {
  <P extends Type.TProperties>(properties: P, options?: Type.TSchemaOptions): Type.TObject<P>
  <P extends Type.TProperties>(description: string, properties: P): Type.TObject<P>
}

const objectMaker = (usual: Type.TSchemaOptions) =>
  ((first: string | Type.TProperties, second: object = {}) =>
    typeof first === 'string'
      ? Type.Object(second as Type.TProperties, { ...usual, ...about(first) })
      : Type.Object(first, { ...usual, ...second })) as ObjectMaker

/** Closed: an unknown field is a mistake of the caller and is reported. */
export const object = objectMaker({ additionalProperties: false })

export const allOptional = <P extends Type.TProperties>(properties: P) =>
  mapValues(properties, optional) as { [K in keyof P]: Type.TOptional<P[K]> }

/** Like `object`, with each field optional. */
export const partial = <P extends Type.TProperties>(properties: P, options: Type.TSchemaOptions = {}) =>
  object(allOptional(properties), options)

/** An open object, for answers: version 1 may add fields. */
export const answer = objectMaker({})

/** A schema with a description: the compiler requires one of each field of `fields`. */
type Described = { readonly description: string }
type About<D> = [D] extends [string] ? Described : unknown

/** Marks a schema of `fields`, only for the compiler. */
type InTables = { readonly '~told': true }

/** A closed object, for answers whose fields are listed in the tables of the docs. */
export const fields = <
  P extends Readonly<Record<string, Type.TSchema & Described>>,
  D extends string | undefined = undefined,
>(
  properties: P,
  description?: D,
) => object(properties, about(description)) as Type.TObject<P> & InTables & About<D>

export const text = <D extends string | undefined = undefined>(description?: D, options: Type.TSchemaOptions = {}) =>
  Type.String({ ...about(description), ...options }) as Type.TString & About<D>
/**
 * A name given by a person or a program: valid Unicode without control characters, nothing trimmed. Characters are code
 * points.
 */
export const nameText = (maxLength: number, description?: string, options: Type.TSchemaOptions = {}) =>
  text(description, {
    minLength: 1,
    maxLength,
    pattern: '^[^\\p{Cc}\\p{Cs}]*$',
    ...expecting({ code: 'name', params: { count: maxLength } }),
    ...options,
  })
/** The longest name of an account, a device, an RP, a root, a snapshot. */
export const NAME_MAX = 128
export const shortText = (description?: string) => nameText(NAME_MAX, description)
/** A text that no error message repeats. */
export const secretText = (description?: string, options: Type.TSchemaOptions = {}) =>
  text(description, { writeOnly: true, ...options })
export const flag = <D extends string | undefined = undefined>(description?: D) =>
  Type.Boolean(about(description)) as Type.TBoolean & About<D>
export const whole = <D extends string | undefined = undefined>(description?: D, options: Type.TSchemaOptions = {}) =>
  Type.Integer({ maximum: Number.MAX_SAFE_INTEGER, ...about(description), ...options }) as Type.TInteger & About<D>
export const count = (description?: string) => whole(description, { minimum: 0 })
export const decimal = (description?: string, options: Type.TSchemaOptions = {}) =>
  Type.Number({ ...about(description), ...options })
/** Whole milliseconds since 1970 UTC: storage, export and RFC 3339 texts would lose a fraction. */
export const millis = (description = 'Milliseconds since 1970 UTC.', maximum = 8.64e15) =>
  whole(description, { minimum: 0, maximum })
/** Whole milliseconds, so that a time plus a duration is a valid time. */
export const duration = (description: string, maximum: number) => whole(description, { minimum: 0, maximum })
export const choice = <const V extends string[], D extends string | undefined = undefined>(
  values: readonly [...V],
  description?: D,
) => Type.Enum(values, { type: 'string', ...about(description) }) as Type.TEnum<V> & About<D>
export const constant = <const V extends string | number | boolean>(value: V, description?: string) =>
  Type.Literal(value, about(description))
export const list = <T extends Type.TSchema, D extends string | undefined = undefined>(
  items: T,
  more?: D | (Type.TSchemaOptions & { readonly description?: D }),
) => Type.Array(items, typeof more === 'string' ? about(more) : more) as Type.TArray<T> & About<D>
export const optional = <T extends Type.TSchema>(schema: T) => Type.Optional(schema)
/** `instead`: the replacement, as a sentence. */
export const deprecatedText = (instead: string): string => `Deprecated. ${instead}`
/** Apply `optional` to the result. */
export const deprecated = <T extends Type.TSchema>(schema: T, instead: string) => {
  const { description = '' }: { readonly description?: string } = schema
  return withKeywords(schema, { deprecated: true, description: `${deprecatedText(instead)} ${description}`.trim() })
}
export const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const either = <T extends Type.TSchema[]>(...schemas: [...T]) => Type.Union(schemas)
export const anything = (description?: string) => Type.Unknown(about(description))
export const coded = (description?: string) =>
  answer({ code: text(), params: optional(dictionary()) }, about(description))
export const dictionary = (description?: string) => Type.Record(Type.String(), Type.Unknown(), about(description))

/** Describes a schema's values in error messages, where its keywords are not clear enough. */
export const expecting = (expected: Expected): Type.TSchemaOptions => ({ 'x-expected': expected })

export const refined = <T extends Type.TSchema>(
  schema: T,
  check: (value: Type.Static<T>) => boolean,
  expected: Expected,
) => Type.Refine({ ...schema, 'x-expected': expected }, check, () => expected.code)

export const typed = <T>(schema: Type.TSchema) => Type.Unsafe<T>(schema)

/** Error messages name the forms, in place of the schemas. */
export const oneForm = <T extends Type.TSchema[]>(
  forms: readonly string[],
  schemas: readonly [...T],
  description?: string,
) =>
  typed<{ [I in keyof T]: Type.Static<T[I]> }[number]>({
    ...about(description),
    anyOf: [...schemas],
    ...expecting({ code: 'any_of', params: { forms } }),
  })

const about = (description: string | undefined): Type.TSchemaOptions =>
  description === undefined ? {} : { description }

export const described = <T extends Type.TSchema>(schema: T, description: string) =>
  withKeywords(schema, { description }) as T & Described

/** The copy includes the non-enumerable properties of TypeBox, which spreading omits: refinements and the like. */
export const withKeywords = <T extends object>(schema: T, keywords: Type.TSchemaOptions): T =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as T, keywords)

/** Read-only throughout, so that answers can share the caller's data. */
export type ValueOf<S extends Type.TSchema> = DeepReadonly<Type.Static<S>>

export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

/** One call of an interface: types, validation, clients and the OpenAPI document all come from it. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the interface's own address, with parameters as `{name}`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  /** Deprecated: the replacement, as a sentence. */
  readonly deprecated?: string
  /** Open to callers without credentials. */
  readonly open?: true
  /** Answers with server-sent events, each of the form of `data`, instead of an envelope. */
  readonly stream?: true
  readonly params?: Schema
  readonly query?: Schema
  /** Described, not validated: headers with a meaning in HTTP itself. */
  readonly headers?: Schema
  readonly body?: Schema
  /** The longest body in bytes, where that is not the usual limit. */
  readonly bodyLimit?: number
  readonly data: Schema
  /** Errors besides those that every call of the interface has. */
  readonly errors?: readonly ErrorName[]
}

export const BODY_LIMIT = 64 * 1024

export type RouteTable<R extends Route = Route> = Readonly<Record<string, R>>

/** For makers of routes: excess members are an error, as in a literal. */
export type NoneBut<K, R> = { readonly [N in Exclude<keyof R, K>]: never }

export type TableRoute = Route & { readonly data: Schema & InTables }

export type Part<R, K extends 'params' | 'query' | 'body'> = R extends { readonly [P in K]: infer S }
  ? S extends Schema
    ? ValueOf<S>
    : undefined
  : undefined

export type Input<R> = {
  readonly params: Part<R, 'params'>
  readonly query: Part<R, 'query'>
  readonly body: Part<R, 'body'>
}

export type DataOf<R extends Route> = ValueOf<R['data']>

export type Answer<D> = Promise<Result<Exact<D>, Refusal>>

const CODES: ReadonlySet<number> = new Set(Object.values(errors).map(({ code }) => code))

export const errorCode = (description: string) =>
  refined(whole(description), (code) => CODES.has(code), { code: 'error_code' })

/** Maximum number of recent deletions of a workspace, of any kind, that can be undone. */
export const MAX_DELETIONS = 20

export type Interface<R extends Route = Route> = {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly servers: readonly Readonly<Record<string, unknown>>[]
  readonly routes: RouteTable<R>
  readonly security: { readonly name: string; readonly scheme: Readonly<Record<string, unknown>> }
  /** Refusals of every call; undefined if a call may be refused with any code. */
  readonly errors?: readonly ErrorName[]
  readonly serversOf?: (route: R) => readonly Readonly<Record<string, unknown>>[] | undefined
}
