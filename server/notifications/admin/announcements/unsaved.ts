import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/connection.ts'
import type { estimateAnnouncement } from '#shared/notifications/announcements.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { audienceOf } from './audience.ts'
import { invalid, noSuchAnnouncement, type WriteContext } from './lifecycle.ts'
import type { Estimated } from './reach-estimate.ts'
import { withinOf } from './scope.ts'
import { storedTexts } from './texts.ts'

type Unsaved = (typeof estimateAnnouncement)['~']['parsed']['body']

/** What saving an announcement would store, without its time. With the caller's claims; nothing is written. */
export async function unsavedAnnouncement(
  db: Db,
  { id, action_url, ...body }: Unsaved,
  { by, knowsCountry }: WriteContext,
): Promise<Estimated> {
  const draft = id ? await findDraft(db, id) : undefined
  const within = (await withinOf(db)) ?? draft?.audience?.within ?? null
  const { audience, problems } = await audienceOf(db, body.audience, knowsCountry, within)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return {
    id: id ?? randomUUID(),
    kind: 'announcement',
    template: 'announcement',
    audience,
    channels: body.channels,
    advisory_id: null,
    texts: storedTexts(body.texts),
    priority: body.priority,
    action_url: (action_url && safeReturnTo(action_url)) || null,
    created_by: draft?.created_by ?? by.id,
  }
}

async function findDraft(db: Db, id: string) {
  const draft = await db
    .selectFrom('announcements')
    .select(['audience', 'created_by'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!draft) throw noSuchAnnouncement()
  return draft
}
