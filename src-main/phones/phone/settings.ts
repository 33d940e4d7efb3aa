import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { AlgorithmName } from '../authenticator/algorithms.ts'
import { algorithmFor, algorithmsFor, isModelName, modelNamed } from './model.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'

/** What the contract leaves open: which models there are, and which algorithms each of them has. */
export const checkModel = (wanted: string | undefined): Result<void, PhoneRefusal> =>
  wanted === undefined || isModelName(wanted)
    ? ok(undefined)
    : err(refusePhone('unknown_model', { reason: { code: 'got', params: { got: wanted } } }))

export const checkAlgorithm = (model: string, wanted: string): Result<AlgorithmName, PhoneRefusal> => {
  const found = algorithmFor(model, wanted)
  if (found !== undefined) return ok(found)
  const known = algorithmsFor(modelNamed(model))
  return err(refusePhone('unknown_algorithm', { reason: { code: 'model_has', params: { got: wanted, model, known } } }))
}
