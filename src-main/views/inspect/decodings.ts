import { fromAnyBase64, fromBase64 } from '../../core/judge/base64.ts'
import { type Bytes, fromBase64url, fromHex, utf8 } from '../../core/protocol/bytes.ts'
import { orNothing } from '../../core/protocol/result.ts'

/** The text decoded in each encoding that fits, stricter ones first. */
export const decodeText = (text: string): readonly (readonly [string, Bytes])[] => {
  const bare = unquoted(text)
  const found: [string, Bytes][] = []
  const dataUrl = /^data:[^,]*;base64,(.*)$/s.exec(bare)?.[1]
  const hex = bare.replace(/^0x|[\s:]/gi, '').toLowerCase()
  const fromHexText = /^([0-9a-f]{2})+$/.test(hex) ? fromHex(hex) : undefined
  if (fromHexText?.ok === true) found.push(['hex', fromHexText.value])
  const solid = (dataUrl ?? bare).replace(/\s+/g, '')
  const url = /^[A-Za-z0-9_-]{2,}$/.test(solid) ? fromBase64url(solid) : undefined
  if (url?.ok === true) found.push(['base64url', url.value])
  const isUnpadded = /[+/]/.test(solid) && /^[A-Za-z0-9+/]+=*$/.test(solid)
  const standard = fromBase64(solid) ?? (isUnpadded ? fromAnyBase64(solid) : undefined)
  if (standard !== undefined && standard.length > 0) found.push(['base64', standard])
  const looseUrl = /[-_]/.test(solid) && solid.endsWith('=') ? fromBase64url(solid.replace(/=+$/, '')) : undefined
  if (looseUrl?.ok === true) found.push(['base64url with padding', looseUrl.value])
  const percent = /^[\x21-\x7e]*%[0-9a-f]{2}[\x21-\x7e]*$/i.test(bare)
    ? orNothing(() => decodeURIComponent(bare))
    : undefined
  if (percent !== undefined) found.push(['percent-encoded', utf8(percent)])
  return found
}

const unquoted = (text: string): string => /^(["'`])(.*)\1[,;]?$/s.exec(text)?.[2] ?? text
