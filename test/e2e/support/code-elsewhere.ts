import { encodePng, type Picture, qrPicture } from '../../../src-main/scenario/qr-picture.ts'
import type { Setting } from './setting.ts'

/** A code on the page of a foreign RP: the bench shows none. */
export const codeElsewhere = async ({
  control,
}: Setting): Promise<{ readonly picture: Picture; readonly png: Buffer; readonly msgId: string }> => {
  const { id } = await control.call('rps.create', { body: { name: 'Shop', rp_id: 'shop.example' } })
  await control.call('keys.create', { params: { rp: id } })
  const attempt = await control.call('simulator.register', {
    params: { rp: id },
    body: { user_id: 'bo', username: 'bo', poll: false },
  })
  const picture = qrPicture(attempt.url)
  return { picture, png: encodePng(picture), msgId: attempt.msg_id }
}
