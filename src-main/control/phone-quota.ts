import type { Quota } from '../contract/control/workspace-about.ts'
import { quotaReached, type Refusal } from '../contract/errors.ts'

/** Why a workspace with this quota cannot have so many phones; what else a quota counts is the service's. */
export const beyondPhoneQuota = ({ phones = Number.POSITIVE_INFINITY }: Quota, count: number): Refusal | undefined =>
  count > phones ? quotaReached('phones', phones) : undefined
