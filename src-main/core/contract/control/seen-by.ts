import { RP_CARES } from '../rp-care.ts'
import { choice } from '../schema.ts'

/** Beside each fault of both catalogues. */
export const seenBy = choice(
  [...RP_CARES, 'either', 'neither'],
  'Which RP simulator ends otherwise under the fault; of `neither` the phone or the timeline shows it.',
)
