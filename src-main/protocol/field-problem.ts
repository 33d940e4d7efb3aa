/** What is wrong with one field of a document, and the field's path in it: `phones[0].json.model`. */
export type FieldProblem = { readonly field: string; readonly text: string }

export const fieldProblemText = ({ field, text }: FieldProblem): string => `${field}: ${text}`

/** A member that a document of this form does not have. */
export const unknownMember = (
  document: Readonly<Record<string, unknown>>,
  known: readonly string[],
): FieldProblem | undefined => {
  const member = Object.keys(document).find((key) => !known.includes(key))
  return member === undefined
    ? undefined
    : { field: member, text: `It is not known here. Known are: ${known.join(', ')}.` }
}

/** The same field, seen from further out. */
export const within = (outer: string, { field, text }: FieldProblem): FieldProblem => ({
  field: field === '' ? outer : `${outer}.${field}`,
  text,
})
