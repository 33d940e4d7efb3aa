/** What is wrong with one field of a document, and the field's path in it: `phones[0].json.model`. */
export type FieldProblem = { readonly field: string; readonly text: string }

export const fieldProblemText = ({ field, text }: FieldProblem): string => `${field}: ${text}`

/** The same field, seen from further out. */
export const within = (outer: string, { field, text }: FieldProblem): FieldProblem => ({
  field: `${outer}.${field}`,
  text,
})
