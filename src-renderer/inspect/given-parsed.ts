import { utf8 } from '../../src-main/core/protocol/bytes.ts'
import { isOrigin, optionsWritten, rootsWritten } from '../../src-main/views/inspect/given-written.ts'
import type { Given } from '../../src-main/views/inspect/inspection.ts'
import { publicKeyWritten } from '../../src-main/views/inspect/public-key-in.ts'
import { GIVEN_FIELDS, type GivenField, type GivenTexts } from './inspected.ts'

export type ParsedGiven = { readonly given: Given; readonly wrong: ReadonlySet<GivenField> }

/** What the fields say; one that cannot be read counts as empty. */
export const parseGiven = (texts: GivenTexts): ParsedGiven => {
  const written = (field: GivenField): string | undefined => {
    const text = texts[field]?.trim()
    return text === '' ? undefined : text
  }
  const read = <T>(field: GivenField, parse: (text: string) => T | undefined): T | undefined => {
    const text = written(field)
    return text === undefined ? undefined : parse(text)
  }
  const found = {
    options: read('options', optionsWritten),
    origin: read('origin', (text) => {
      const origins = text.split(/[\s,]+/)
      return origins.every(isOrigin) ? origins : undefined
    }),
    publicKey: read('publicKey', (text) => publicKeyWritten(utf8(text))),
    accessKeyId: written('accessKeyId'),
    secret: written('secret'),
    rpId: written('rpId'),
    signCount: read('signCount', (text) => (/^\d{1,10}$/.test(text) ? Number(text) : undefined)),
    roots: read('roots', rootsWritten),
  }
  const { options, origin: origins, publicKey, accessKeyId: id, secret, rpId, signCount, roots } = found
  return {
    given: {
      ...(options === undefined ? {} : { options }),
      ...(origins === undefined ? {} : { origins }),
      ...(publicKey === undefined ? {} : { publicKey }),
      ...(id === undefined || secret === undefined ? {} : { accessKey: { id, secret } }),
      ...(rpId === undefined ? {} : { rpId }),
      ...(signCount === undefined ? {} : { signCount }),
      ...(roots === undefined ? {} : { roots }),
    },
    wrong: new Set(GIVEN_FIELDS.filter((field) => written(field) !== undefined && found[field] === undefined)),
  }
}
