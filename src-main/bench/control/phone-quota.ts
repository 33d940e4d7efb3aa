import type { Quota } from '../../core/contract/control/workspace-about.ts'
import { quotaReached, type Refusal } from '../../core/contract/errors.ts'

/** Why a workspace with this quota cannot have so many phones; what else a quota counts is the service's. */
export const beyondPhoneQuota = ({ phones = Number.POSITIVE_INFINITY }: Quota, count: number): Refusal | undefined =>
  count > phones ? quotaReached('phones', phones) : undefined
