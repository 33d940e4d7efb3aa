import { test } from 'handset/playwright'
import { fallForAnotherOrigin } from './fails.mts'

test('falls for another origin', ({ phone, workspace }) => fallForAnotherOrigin(phone, workspace))
