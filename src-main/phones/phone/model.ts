import { err, ok, type Result } from '../../core/protocol/result.ts'
import { ALGORITHM_NAMES, type AlgorithmName, algorithmNamed } from '../authenticator/algorithms.ts'
import { ATTESTATION_FORMATS } from '../authenticator/make-credential.ts'
import { type AuthenticatorModel, MODELS, type ModelName } from '../authenticator/models.ts'
import { type PhoneRefusal, refusePhone } from './phone-state.ts'

export const isModelName = (text: string): text is ModelName => Object.hasOwn(MODELS, text)

export const DEFAULT_MODEL: ModelName = 'cloud-pebble'

/** A stored name may have been removed from the table since; its phones then use the default model. */
export const modelNamed = (name: string): AuthenticatorModel => MODELS[isModelName(name) ? name : DEFAULT_MODEL]

/** The algorithms that a phone of the model can use: its own, then the others that its attestation supports. */
export const usableAlgorithms = ({ algorithms, attestation }: AuthenticatorModel): readonly AlgorithmName[] => [
  ...algorithms,
  ...ALGORITHM_NAMES.filter(
    (name) => !algorithms.includes(name) && ATTESTATION_FORMATS[attestation].supports(algorithmNamed(name)),
  ),
]

export const findUsableAlgorithm = (model: string, wanted: string): AlgorithmName | undefined =>
  usableAlgorithms(modelNamed(model)).find((name) => name === wanted)

export const effectiveModel = (phone: {
  readonly model: string
  readonly algorithm?: AlgorithmName
}): AuthenticatorModel => {
  const model = modelNamed(phone.model)
  return phone.algorithm === undefined ? model : { ...model, algorithms: [phone.algorithm] }
}

/** The contract does not check the name. */
export const checkModel = (wanted: string | undefined): Result<void, PhoneRefusal> =>
  wanted === undefined || isModelName(wanted)
    ? ok(undefined)
    : err(refusePhone('unknown_model', { reason: { code: 'got', params: { got: wanted } } }))

export const checkAlgorithm = (model: string, wanted: string): Result<AlgorithmName, PhoneRefusal> => {
  const found = findUsableAlgorithm(model, wanted)
  if (found !== undefined) return ok(found)
  const known = usableAlgorithms(modelNamed(model))
  return err(refusePhone('unknown_algorithm', { reason: { code: 'model_has', params: { got: wanted, model, known } } }))
}
