import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import type {
  AccountActionItem,
  AccountActionKind,
  AccountActionResult,
  AccountActionSummary,
  AccountSelection,
} from '#shared/accounts/account-actions.ts'
import type { AccountSign } from '#shared/accounts/users.ts'
import { rowsOf } from '#shared/table.ts'
import { findMatchingIds } from './account-actions.ts'
import { isWaiting } from './queries.ts'

/** Preview of a bulk action, counted by the most serious sign of each account. */
export async function previewSelection(
  db: Db,
  by: SignedIn,
  { kind, selection }: { kind: AccountActionKind; selection: AccountSelection },
  now: Date,
) {
  const ids = 'ids' in selection ? [...new Set(selection.ids)] : await findMatchingIds(db, by, selection.filter, now)
  const rows = await db
    .selectFrom('user_profiles')
    .select(({ fn }) => [
      sql<AccountSign | null>`case when ${isWaiting(by.id)} then (account_signs(user_profiles))[1] end`.as('sign'),
      sql<boolean>`${isWaiting(by.id)}`.as('is_waiting'),
      sql<boolean>`${isWaiting(by.id)} and 'bounced' = any(account_signs(user_profiles)) and not phone_verified`.as(
        'is_bounced',
      ),
      fn.countAll<number>().as('count'),
    ])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('profile_status', '<>', 'deleted')
    .groupBy([sql`1`, sql`2`, sql`3`])
    .orderBy(sql`4`, 'desc')
    .execute()
  const sum = (of: typeof rows) => of.reduce((total, row) => total + Number(row.count), 0)
  const waiting = rows.filter((row) => row.is_waiting)
  // A refusal needs no working address.
  const bounced = kind === 'refuse' ? 0 : sum(waiting.filter((row) => row.is_bounced))
  const signs = new Map<AccountSign, number>()
  for (const { sign, count } of waiting) if (sign) signs.set(sign, (signs.get(sign) ?? 0) + Number(count))
  return {
    total: ids.length,
    count: sum(waiting) - bounced,
    bounced,
    others: sum(rows) - sum(waiting),
    missing: ids.length - sum(rows),
    signs: [...signs].map(([sign, count]) => ({ sign, count })),
  }
}

/** The latest actions visible to the caller, with the count of each result, or one by its id. */
export async function listActions(
  db: Db,
  by: SignedIn,
  { id, limit }: { id?: string; limit: number },
): Promise<AccountActionSummary[]> {
  let query = db
    .selectFrom('account_actions as a')
    .leftJoin('user_profiles as actor', 'actor.id', 'a.actor_id')
    .selectAll('a')
    .select('actor.display_name as actor_name')
    .select(
      sql<Partial<Record<AccountActionResult, number>>>`coalesce((select jsonb_object_agg(r.result, r.count) from (
        select i.result, count(*) from account_action_items i where i.action_id = a.id group by i.result) r), '{}')`.as(
        'results',
      ),
    )
  if (id) query = query.where('a.id', '=', id)
  const rows = await query.orderBy('a.created_at', 'desc').orderBy('a.id').limit(limit).execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    message: row.message,
    created_at: row.created_at.toISOString(),
    actor_name: row.actor_name,
    is_own: row.actor_id === by.id,
    results: row.results,
    missing: row.missing.length,
    undone_at: row.undone_at?.toISOString() ?? null,
    can_undo: row.kind !== 'ask' && row.undone_at === null && (row.results.verified ?? row.results.refused ?? 0) > 0,
  }))
}

/** The results of one action, unsuccessful ones first. */
export async function listItems(
  db: Db,
  id: string,
  page: { page: number; per_page: number },
): Promise<{ items: AccountActionItem[]; total: number }> {
  const items = () => db.selectFrom('account_action_items as i').where('i.action_id', '=', id)
  const { total } = await items()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await items()
    .leftJoin('user_profiles as p', 'p.id', 'i.user_id')
    .leftJoin('user_profiles as earlier', 'earlier.id', 'i.earlier_by')
    .select(['i.user_id', 'p.display_name', 'p.country_code', 'i.result', 'i.undo_result'])
    .select('earlier.display_name as earlier_by')
    .orderBy(sql`i.result in ('verified', 'asked', 'refused')`)
    .orderBy('i.result')
    .orderBy('p.display_name')
    .orderBy('i.user_id')
    .limit(page.per_page)
    .offset(rowsOf(page).offset)
    .execute()
  return { items: rows, total: Number(total) }
}
