import { type AuthenticatorModel, MODELS, type ModelName } from '../authenticator/models.ts'

export const isModelName = (text: string): text is ModelName => Object.hasOwn(MODELS, text)

export const DEFAULT_MODEL: ModelName = 'cloud-pebble'

/** A stored name always was one of the table's; should one go, its phones go on as the default. */
export const modelNamed = (name: string): AuthenticatorModel => MODELS[isModelName(name) ? name : DEFAULT_MODEL]
