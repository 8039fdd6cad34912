import type { AdvisoryRow } from './advisory-row.ts'

/** Whether an advisory is in force: published, active and not expired. */
export const isInForce = (
  { status, is_active, expiry_date }: Pick<AdvisoryRow, 'status' | 'is_active' | 'expiry_date'>,
  now: Date,
): boolean => status === 'actual' && is_active && (expiry_date === null || expiry_date > now)
