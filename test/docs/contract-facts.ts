import { PHONE_NAME_MAX } from '../../src-main/core/contract/app/fields.ts'
import { REPORT_FAILURE_MAX } from '../../src-main/core/contract/control/event-routes.ts'
import { routes } from '../../src-main/core/contract/control/routes.ts'
import { errors } from '../../src-main/core/contract/errors.ts'
import { NAME_MAX } from '../../src-main/core/contract/schema.ts'

/** What a client must know besides the calls: the version it speaks, the longest names it may give, the codes it tells apart. */
export const contractFacts = {
  CONTROL_VERSION: routes['bench.info'].data.properties.control_version.const,
  PHONE_NAME_MAX,
  REPORT_FAILURE_MAX,
  REPORT_TITLE_MAX: NAME_MAX,
  WAIT_ENDED: errors.wait_ended.code,
  PHONE_REFUSED: errors.phone_refused.code,
}
