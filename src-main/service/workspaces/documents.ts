import type { Admin } from '../admin/admin.ts'
import type { Parts } from '../admin/parts.ts'
import { NOWHERE, readable } from './kept-clocks.ts'

export const documentsOf = ({ services: { store } }: Parts): Admin['documents'] => ({
  get: (name) => readable(store, NOWHERE, name),
  set: (name, value) => store.settings.set(NOWHERE, name, value),
  delete: (name) => store.settings.delete(NOWHERE, name),
})
