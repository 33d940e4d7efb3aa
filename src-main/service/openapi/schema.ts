type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'boolean' | 'null'

/** JSON Schema 2020-12, as far as these documents use it. */
export type Schema = {
  readonly type?: SchemaType | readonly SchemaType[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly (string | number | null)[]
  readonly const?: string | number
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly oneOf?: readonly Schema[]
  readonly additionalProperties?: boolean
}

export const text = (description: string, more: Omit<Schema, 'type' | 'description'> = {}): Schema => ({
  type: 'string',
  description,
  ...more,
})

/** Of a field that may be left out: null and an empty text are the same as none (profile `empty_optional`). */
export const optionalText = (
  description: string,
  { enum: values, ...more }: Pick<Schema, 'maxLength' | 'enum'> = {},
): Schema => ({
  type: ['string', 'null'],
  description: `${description} \`null\` and \`""\` are the same as no field, unless the profile says otherwise.`,
  ...(values === undefined ? {} : { enum: [...values, '', null] }),
  ...more,
})

export const integer = (description: string): Schema => ({ type: 'integer', description })

export const listOf = (items: Schema, more: Omit<Schema, 'type' | 'items'> = {}): Schema => ({
  type: 'array',
  items,
  ...more,
})

/** Every member is required unless it is named as optional. */
export const object = (
  properties: Readonly<Record<string, Schema>>,
  { optional = [], closed = true }: { readonly optional?: readonly string[]; readonly closed?: boolean } = {},
): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  ...(closed ? { additionalProperties: false } : {}),
})

/** Any JSON object: what it must be is said elsewhere. */
export const anyObject = (description: string): Schema => ({ type: 'object', description })
