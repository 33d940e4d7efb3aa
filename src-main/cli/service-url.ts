import { err, ok, type Result } from '../core/protocol/result.ts'

/** The address of another service, without a slash at the end. */
export const parseServiceUrl = (text: string | undefined, name: string): Result<string, string> => {
  if (text === undefined) return err(`it needs ${name} URL.`)
  const url = URL.parse(text)
  // What is not repeated may be a password.
  if (url !== null && url.username + url.password !== '') return err(`${name} must have no user and no password in it.`)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return err(`${name} must be an address with http:// or https://, without ? and #; got "${text}".`)
  return ok(text.replace(/\/+$/, ''))
}
