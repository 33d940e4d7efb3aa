import { test } from 'handset/vitest'
import { fallForAnotherOrigin } from './fails.mts'

test('falls for another origin', ({ phone, workspace }) => fallForAnotherOrigin(phone, workspace))
