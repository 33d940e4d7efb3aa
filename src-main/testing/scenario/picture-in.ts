import type { Body } from '../../sdk/client.ts'
import { badInput } from './step-outcome.ts'

type Picture = Extract<Body<'phones.scan'>, { readonly image: unknown }>['image']

const BEGINNINGS = { png: 'iVBORw0KGgo', jpeg: '/9j/' } as const

/** A picture in base64, also as the address of a page's picture: `data:image/png;base64,…`. */
export const pictureIn = (text: string): Picture => {
  const data = text.replace(/^data:[^,]{0,64},/, '').replace(/\s/g, '')
  for (const type of ['png', 'jpeg'] as const) if (data.startsWith(BEGINNINGS[type])) return { data, type }
  throw badInput({ field: 'scan.image', expected: { code: 'picture' }, got: `${JSON.stringify(text.slice(0, 32))}…` })
}
