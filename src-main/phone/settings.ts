import type { AlgorithmName } from '../authenticator/algorithms.ts'
import { phoneName, phoneNumber } from '../contract/app/fields.ts'
import { behaviour as behaviourSchema, storage as storageSchema } from '../contract/control/phone-state.ts'
import { findProblem, fits } from '../contract/validate.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { algorithmFor, algorithmsFor, isModelName, modelNamed } from './model.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import type { NewPhone } from './phones-interface.ts'

/** Whatever of a new or changed phone is given must be something a phone can be. */
export const checkSettings = (given: Omit<Partial<NewPhone>, 'algorithm'>): Result<void, PhoneRefusal> => {
  const { name, account, model, storage, behaviour } = given
  if (name !== undefined && !fits(name, phoneName)) return err(refusePhone('invalid_name'))
  if (account !== undefined && !fits(account.name, phoneName)) return err(refusePhone('invalid_name'))
  if (account !== undefined && !fits(account.phone, phoneNumber)) {
    return err(refusePhone('invalid_number'))
  }
  if (model !== undefined && !isModelName(model))
    return err(refusePhone('unknown_model', { reason: { code: 'got', params: { got: model } } }))
  if (storage !== undefined && !fits(storage, storageSchema)) return err(refusePhone('invalid_storage'))
  const reason = behaviour === undefined ? undefined : findProblem(behaviour, behaviourSchema)
  return reason === undefined ? ok(undefined) : err(refusePhone('invalid_behaviour', { reason }))
}

export const checkAlgorithm = (model: string, wanted: string): Result<AlgorithmName, PhoneRefusal> => {
  const found = algorithmFor(model, wanted)
  if (found !== undefined) return ok(found)
  const known = algorithmsFor(modelNamed(model))
  return err(refusePhone('unknown_algorithm', { reason: { code: 'model_has', params: { got: wanted, model, known } } }))
}
