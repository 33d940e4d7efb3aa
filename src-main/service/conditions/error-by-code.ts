import { type ErrorName, errors } from '../../contract/errors.ts'

const names = new Map((Object.keys(errors) as ErrorName[]).map((name) => [errors[name].code as number, name]))

export const errorByCode = (code: number): ErrorName => names.get(code) ?? 'fault_injected'
