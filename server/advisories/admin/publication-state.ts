import { sql } from 'kysely'
import type { AdminAdvisory, ManagedAdvisory, PublicationState } from '#shared/advisories/admin.ts'
import type { AdvisoryModel } from '../model.ts'

/** Publication state of an advisory; the one definition, for the filter, the list and the form. The table is `a`. */
export const publicationStateAt = (now: Date) => sql<PublicationState>`case
  when a.status = 'draft' then 'draft'
  when a.status <> 'actual' then 'unreal'
  when a.expiry_date <= ${now} then 'expired'
  when a.withdrawn_at is not null then 'withdrawn'
  when not a.is_active then 'ended'
  when a.missing_since is not null then 'missing'
  else 'in_force' end`

/** Why an advisory in force is not public. */
export function removalFor(
  model: AdvisoryModel,
  now: Date,
): (id: string) => ManagedAdvisory['removal'] & AdminAdvisory['removal'] {
  const reasons = model.notShown(now)
  return (id) => reasons.get(id) ?? null
}
