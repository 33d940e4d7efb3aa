import { describe, expect, it } from 'vitest'
import { ALGORITHMS, type AlgorithmName } from '../../src-main/authenticator/algorithms.ts'
import { FAULTS, seamsOf, strikesAt } from '../../src-main/authenticator/faults.ts'
import { getAssertion } from '../../src-main/authenticator/get-assertion.ts'
import { makeCredential } from '../../src-main/authenticator/make-credential.ts'
import { MODELS } from '../../src-main/authenticator/models.ts'
import { isLong } from '../support/parts.ts'
import { goodAssertion, goodCreation, goodCreationOptions, goodPorts, must } from './support/requests.ts'

const struck = Object.values(FAULTS).filter(({ apply }) => 'seams' in apply)

/** `npm test -- long` tries every fault on every phone; `npm test` every twelfth one, on the next phone the next twelfth. */
const STEP = isLong ? 1 : 12

const phones = Object.values(MODELS)
  .flatMap((model) => model.algorithms.map((name) => [model.name, name] as const))
  .map(([model, algorithm], nth) => [model, algorithm, struck.filter((_, i) => i % STEP === nth % STEP)] as const)

/** Each model with each of its algorithms. */
const optionsFor = (name: AlgorithmName) => ({
  ...goodCreationOptions,
  pubKeyCredParams: [{ type: 'public-key', alg: ALGORITHMS[name].cose } as const],
})

describe('a fault that the phone cannot have', () => {
  it.each(phones)('breaks nothing on %s with %s', async (modelName, algorithm, faults) => {
    const ports = await goodPorts()
    const model = MODELS[modelName as keyof typeof MODELS]
    const creation = { options: optionsFor(algorithm), model }
    const { credential } = must(await makeCredential(goodCreation(creation), ports))
    const broken: string[] = []
    for (const fault of faults) {
      const seams = seamsOf([fault])
      try {
        if (strikesAt(fault, 'registration')) await makeCredential(goodCreation({ ...creation, seams }), ports)
        if (strikesAt(fault, 'authentication')) await getAssertion(goodAssertion([credential], { seams }), ports)
      } catch (error) {
        broken.push(`${fault.name}: ${String(error)}`)
      }
    }
    expect(broken).toEqual([])
  })
})
