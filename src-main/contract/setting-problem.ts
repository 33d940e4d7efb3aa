import { type Refusal, refuse } from './errors.ts'

/** What is wrong with a document of settings, and at which key; none where it is no object at all. */
export type SettingProblem = { readonly key?: string; readonly detail: string }

/** `within`: where the document of settings stands in the request's body. */
export const refuseSetting = ({ key, detail }: SettingProblem, within?: string): Refusal => {
  const parameter = [within, key].filter((part) => part !== undefined).join('.')
  return refuse('invalid_parameter', detail, parameter === '' ? {} : { data: { parameter } })
}
