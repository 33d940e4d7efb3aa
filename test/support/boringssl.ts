import type * as crypto from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const isLacking = ({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean =>
  type === 'ed448' || type?.startsWith('ml-dsa') === true || details?.namedCurve === 'secp256k1'

/** node:crypto as in Electron, whose BoringSSL lacks secp256k1, Ed448 and ML-DSA, while `isOn` says so. */
export const boringCrypto = (real: typeof crypto, isOn: () => boolean): typeof crypto => {
  const without = <A extends unknown[], K extends KeyObject>(make: (...args: A) => K) => {
    return (...args: A): K => {
      const key = make(...args)
      if (isOn() && isLacking(key)) throw new Error('UNSUPPORTED_ALGORITHM')
      return key
    }
  }
  return {
    ...real,
    createPrivateKey: without(real.createPrivateKey),
    createPublicKey: without(real.createPublicKey),
    getCurves: () => real.getCurves().filter((name) => !isOn() || name !== 'secp256k1'),
    createECDH: (name) => {
      if (isOn() && name === 'secp256k1') throw new Error('ERR_CRYPTO_INVALID_CURVE')
      return real.createECDH(name)
    },
  }
}
