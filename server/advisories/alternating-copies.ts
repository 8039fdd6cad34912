import type { Db } from '#server/db/connection.ts'
import { present } from '#shared/assert.ts'
import { dayOf } from './advisory-row.ts'
import type { ExistingAdvisory } from './existing-advisory.ts'
import { anyOf } from './expiry.ts'
import type { FeedItem } from './feeds/feed.ts'
import { isCountrySet } from './identity.ts'
import type { Plan } from './import-plan.ts'

/**
 * Some sources alternate between two copies that differ in text but not in date. A text of the same date and level that
 * was replaced before is the older copy again: it counts as listed and changes nothing. Returns the plan without such
 * changes.
 */
export async function withoutAlternations(
  db: Db,
  plan: Plan,
  existing: ReadonlyMap<string, ExistingAdvisory>,
): Promise<Plan> {
  const candidates = new Map<string, FeedItem>()
  for (const item of plan.changed) {
    const known = existing.get(item.external_id)
    if (!known || !isCountrySet(known.external_id) || known.is_urgent !== item.is_urgent) continue
    if (known.version > 1 && isOfSameState(known, item)) candidates.set(known.id, item)
  }
  if (candidates.size === 0) return plan
  const versions = await db
    .selectFrom('advisory_versions as v')
    .innerJoin('travel_advisories as a', 'a.id', 'v.advisory_id')
    .select(['v.advisory_id', 'v.severity_level', 'v.title', 'v.description', 'v.detailed_information'])
    .select(['v.recommendations', 'v.last_updated'])
    .where('v.advisory_id', '=', anyOf([...candidates.keys()]))
    .whereRef('v.version', '<', 'a.version')
    .execute()
  const again = new Set(
    versions.flatMap((version) => {
      const item = candidates.get(version.advisory_id)
      const isSame = item && isOfSameState(version, item) && textOf(version) === textOf(item)
      return isSame ? [item.external_id] : []
    }),
  )
  return {
    ...plan,
    changed: plan.changed.filter((item) => !again.has(item.external_id)),
    confirmed: [...plan.confirmed, ...[...again].map((id) => present(existing.get(id), 'the advisory'))],
  }
}

type State = Pick<FeedItem, 'severity_level' | 'last_updated'>

const isOfSameState = (a: { severity_level: string; last_updated: Date }, b: State) =>
  a.severity_level === b.severity_level && dayOf(a.last_updated) === dayOf(b.last_updated)

type Text = Pick<FeedItem, 'title' | 'description' | 'detailed_information' | 'recommendations'>

/** Letters and digits only: markup and punctuation differ between copies of one text. */
function textOf({ title, description, detailed_information, recommendations }: Text): string {
  return [title, description, (detailed_information ?? '').replace(/<[^<>]*>/g, ' '), ...recommendations]
    .join('\n')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
}
