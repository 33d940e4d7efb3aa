import type { Seams } from '../authenticator/seams.ts'
import type { Prompt } from './phone-state.ts'

/** A lookalike site relayed the code: what is signed names that site, although the phone asks for the RP. The service judges. */
export const signedOrigin = ({ origin, rp }: Prompt): { readonly origin: string; readonly relayed?: string } => {
  const [own = origin] = rp.origins
  return rp.origins.includes(origin) ? { origin } : { origin: own, relayed: origin }
}

export const withRelayedOrigin = (relayed: string | undefined, seams: Seams): Seams => {
  if (relayed === undefined) return seams
  const { clientData = (draft) => draft } = seams
  return { ...seams, clientData: (draft, context) => clientData({ ...draft, origin: relayed }, context) }
}
