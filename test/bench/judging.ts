import { judgeAuthentication } from '../../src-main/explain/judge-authentication.ts'
import { judgeRegistration } from '../../src-main/explain/judge-registration.ts'
import { nodeCrypto } from '../../src-main/service/judge/node-crypto.ts'
import { secondOpinion } from '../../src-main/service/judge/second-opinion.ts'
import { authentication } from '../support/ceremony/authentication.ts'
import { registration } from '../support/ceremony/registration.ts'

export type Judging = Readonly<
  Record<'registration' | 'authentication' | 'secondRegistration' | 'secondAuthentication', readonly number[]>
>

/** Our own judge, and the second one on the same ceremonies, in turn. Milliseconds. */
export const measureJudging = async ({ samples }: { readonly samples: number }): Promise<Judging> => {
  const made = registration()
  const signed = authentication()
  const wall = Date.now()
  const work = {
    registration: () => judgeRegistration(made, nodeCrypto),
    authentication: () => judgeAuthentication(signed, nodeCrypto),
    secondRegistration: () => secondOpinion(made, { wall }),
    secondAuthentication: () => secondOpinion(signed, { wall }),
  } as const
  const took: Record<keyof Judging, number[]> = {
    registration: [],
    authentication: [],
    secondRegistration: [],
    secondAuthentication: [],
  }
  // The first fifth only warms up.
  for (let i = -Math.ceil(samples / 5); i < samples; i++) {
    for (const name of Object.keys(work) as (keyof Judging)[]) {
      const from = performance.now()
      await work[name]()
      if (i >= 0) took[name].push(performance.now() - from)
    }
  }
  return took
}
