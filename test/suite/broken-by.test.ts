import { expect, test } from 'vitest'
import { RpBroken } from '../../src-main/suite/rp-driver.ts'
import { brokenBy } from '../../src-main/suite/stage.ts'

test('an RP that answers wrongly is accused, and one whose browser fails is not', () => {
  const crashed = new RpBroken({ code: 'crashed', params: { where: 'GET /', text: '' } })
  const noPicture = new RpBroken({ code: 'no_picture', params: { error: 'Timeout 5000ms exceeded.' } })
  expect([crashed, noPicture].map((error) => brokenBy(error).verdict)).toEqual(['broke', 'unplayable'])
})
