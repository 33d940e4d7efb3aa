import { accessKeyId, SECRET_KEY_MAX, secretKey } from '../core/contract/access-key.ts'
import { fits } from '../core/contract/validate.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'

/** What --access-key says: ID:SECRET. */
export const parseAccessKey = (
  text: string,
  name: string,
): Result<{ readonly id: string; readonly secret: string }, string> => {
  const [id = '', ...rest] = text.split(':')
  const secret = rest.join(':')
  if (fits(id, accessKeyId) && fits(secret, secretKey)) return ok({ id, secret })
  // The secret is not repeated.
  return err(
    `${name} must be ID:SECRET, the ID of up to 128 letters, digits, ".", "_", "~" and "-", the secret of up to ${SECRET_KEY_MAX} characters.`,
  )
}
