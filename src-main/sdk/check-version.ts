import { routes } from '../core/contract/control/routes.ts'
import { isObject } from '../core/protocol/json.ts'
import { ControlError, type Data } from './client.ts'
import { type HandsetError, sdkError } from './errors.ts'

const VERSION: number = routes['bench.info'].data.properties.control_version.const

/** Asked before anything else: a bench of another version of the control interface, or another server, is refused. */
export const checkVersion = async (controlUrl: string, info: Promise<Data<'bench.info'>>): Promise<void> => {
  const said: unknown = await asBench(controlUrl, info)
  if (!isObject(said) || !Number.isInteger(said.control_version)) {
    throw noBench(controlUrl, 'it does not say which version of the control interface it speaks.')
  }
  if (said.control_version === VERSION) return
  throw sdkError(
    'version_mismatch',
    `This package speaks version ${VERSION} of the control interface; the bench (Handset ${said.version}) speaks version ${said.control_version}.`,
  )
}

const asBench = async <T>(controlUrl: string, call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    throw error instanceof ControlError && error.code === 0 ? noBench(controlUrl, error.message) : error
  }
}

const noBench = (controlUrl: string, why: string): HandsetError =>
  sdkError(
    'no_bench',
    `What answers at ${controlUrl} is no bench: ${why} Give the control_url that "handset serve" prints.`,
  )
