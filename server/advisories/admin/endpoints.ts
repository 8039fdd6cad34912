import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { csvResponse } from '#server/http/csv.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import type { ActionContext, Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { writeAndRefresh } from '#server/http/writes.ts'
import { decideWithheld, findWithheld } from '#server/notifications/advisory-changes/withheld-news.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import * as contract from '#shared/advisories/admin.ts'
import * as sourceContract from '#shared/advisories/admin-sources.ts'
import * as announcements from '#shared/advisories/announcements.ts'
import { decideWithheldNews, listWithheldNews } from '#shared/notifications/withheld-news.ts'
import { advisoryTextOf } from '../advisory-text.ts'
import type { FeedDeps } from '../feeds/deps.ts'
import type { AdvisoryModel } from '../model.ts'
import { findAdminAdvisory, historyOf, versionsOf } from './advisory-detail.ts'
import { listManaged } from './advisory-list.ts'
import { announcementsOf, notifySubscribers } from './announcements.ts'
import { findWritableSource } from './entry.ts'
import { acceptLevel, acceptLevelsOfSource } from './level-acceptance.ts'
import { createAdvisory, deleteAdvisory, duplicateAdvisory, updateAdvisory, type WriteContext } from './mutations.ts'
import { removeAlias, resolveName } from './names.ts'
import { previewAdvisory } from './preview.ts'
import { addSource, removeSource, replaceSource } from './source-entry.ts'
import { previewReading } from './source-preview.ts'
import { findManagedSource, listManagedSources, updateSource } from './sources.ts'
import { switchAdvisory } from './switches.ts'

interface Deps {
  model: AdvisoryModel
  readModel: ReadModel
  countries: () => Countries
  /** Undefined in a process that fetches nothing. */
  feeds?: FeedDeps | undefined
  secret: string
}

/**
 * Admin endpoints for advisories and their sources. Every change writes row, version and audit entry in one
 * transaction.
 */
export function registerAdvisoriesAdmin(router: Router, deps: Deps) {
  registerAdvisories(router, deps)
  registerAnnouncing(router, deps)
  registerSources(router, deps)
}

const createWriter =
  (deps: Deps) =>
  <T>(ctx: ActionContext<SignedIn>, fn: (db: Db, writing: WriteContext) => Promise<T>): Promise<T> =>
    writeAndRefresh(ctx, deps.readModel, (db) => fn(db, { by: ctx.user, now: ctx.now, countries: deps.countries() }))

/** Advisories: listed, written, switched, accepted, announced. */
function registerAdvisories(router: Router, deps: Deps) {
  const { model } = deps

  const write = createWriter(deps)
  const respondWithAdvisory = async (db: Db, id: string, now: Date) => ({
    advisory: await findAdminAdvisory(db, id, { model, now }),
  })

  router.handle(contract.listManagedAdvisories, async ({ db, now }, { query }) => ({
    ...(await listManaged(db, query, { model, now })),
    page: query.page,
    per_page: query.per_page,
  }))

  router.handle(contract.exportManagedAdvisories, async ({ db, now }, { query }) => {
    const { advisories } = await listManaged(db, query, { model, now, isWhole: true })
    return csvResponse<contract.ManagedAdvisory>(
      'travel-advisories',
      EXPORTED.map((name) => ({ label: name, value: (row) => textOf(row[name]) })),
      advisories,
    )
  })

  router.handle(contract.getManagedAdvisory, async ({ db, now }, { params: { id } }) => {
    const { advisory } = await respondWithAdvisory(db, id, now)
    return {
      advisory,
      text: advisoryTextOf(advisory, { isManual: advisory.is_written_here }),
      versions: await versionsOf(db, id),
      history: await historyOf(db, 'travel_advisory', id),
    }
  })

  router.act(contract.createAdvisory, (ctx, { body: { is_draft, key, ...entry } }) =>
    write(ctx, async (db, writing) => {
      const id = await createAdvisory(db, entry, { is_draft, key }, writing)
      return respondWithAdvisory(db, id, ctx.now)
    }),
  )

  router.act(contract.updateAdvisory, (ctx, { params: { id }, body: { made_from, is_draft, ...entry } }) =>
    write(ctx, async (db, writing) => {
      await updateAdvisory(db, id, entry, { made_from, is_draft }, writing)
      return respondWithAdvisory(db, id, ctx.now)
    }),
  )

  router.act(contract.switchAdvisory, (ctx, { params: { id }, body }) =>
    write(ctx, async (db, writing) => {
      await switchAdvisory(db, id, body, writing)
      return respondWithAdvisory(db, id, ctx.now)
    }),
  )

  router.act(contract.duplicateAdvisory, (ctx, { params: { id } }) =>
    write(ctx, async (db, writing) => respondWithAdvisory(db, await duplicateAdvisory(db, id, writing), ctx.now)),
  )

  router.act(contract.deleteAdvisory, (ctx, { params: { id }, body }) =>
    write(ctx, async (db, writing) => {
      await deleteAdvisory(db, id, body, writing)
      return { deleted: true as const }
    }),
  )

  router.act(contract.acceptLevel, (ctx, { params: { id }, body }) =>
    write(ctx, async (db, writing) => {
      await acceptLevel(db, id, body, writing)
      return respondWithAdvisory(db, id, ctx.now)
    }),
  )

  router.act(contract.acceptLevelsOfSource, (ctx, { params, body }) =>
    write(ctx, async (db, writing) => ({ accepted: await acceptLevelsOfSource(db, params.source, body, writing) })),
  )
}

/** How many an advisory reaches, and how it will look. */
function registerAnnouncing(router: Router, deps: Deps) {
  const write = createWriter(deps)

  router.handle(announcements.listAnnouncementsOf, ({ db, now }, { params: { id } }) => announcementsOf(db, id, now))

  router.act(announcements.notifyNow, (ctx, { params: { id }, body }) =>
    write(ctx, async (db, writing) => ({ announcement_id: await notifySubscribers(db, id, body, writing) })),
  )

  router.handle(contract.previewAdvisory, async ({ db, now }, { body: { id, ...entry } }) => {
    const source = await findWritableSource(db, entry.source_id)
    return previewAdvisory(db, entry, id, { source, now, countries: deps.countries(), model: deps.model })
  })
}

/** Sources of advisories, what they withheld, and names they use for countries. */
function registerSources(router: Router, deps: Deps) {
  const write = createWriter(deps)

  router.handle(sourceContract.listManagedSources, async ({ db, now }) => ({
    sources: await listManagedSources(db, now),
  }))

  router.handle(sourceContract.getManagedSource, ({ db, now }, { params }) => findManagedSource(db, params.source, now))

  router.act(sourceContract.updateSource, (ctx, { params, body }) =>
    write(ctx, async (db, writing) => ({ source: await updateSource(db, params.source, body, writing) })),
  )

  router.handle(listWithheldNews, async ({ db }, { params }) => ({ news: await findWithheld(db, params.source) }))

  router.act(decideWithheldNews, (ctx, { params, body }) =>
    write(ctx, (db, writing) => decideWithheld(db, params.source, body, writing)),
  )
  const previews = createRateLimit({ count: 30, seconds: 60 })
  router.act(sourceContract.previewSource, ({ session, now }, { body }) => {
    previews.take(session.user?.id ?? session.address)
    return previewReading(body, { countries: deps.countries(), now, feeds: deps.feeds, secret: deps.secret })
  })

  router.act(sourceContract.createSource, (ctx, { body }) =>
    write(ctx, async (db, writing) => ({
      source: await addSource(db, body, { ...writing, secret: deps.secret }),
    })),
  )

  router.act(sourceContract.changeSource, (ctx, { params, body }) =>
    write(ctx, async (db, writing) => ({
      source: await replaceSource(db, params.source, body, { ...writing, secret: deps.secret }),
    })),
  )

  router.act(sourceContract.removeSource, (ctx, { params, body }) =>
    write(ctx, async (db, writing) => ({
      removed: true as const,
      withdrawn: await removeSource(db, params.source, body, { ...writing, secret: deps.secret }),
    })),
  )

  router.act(sourceContract.resolveName, (ctx, { body }) => write(ctx, (db, writing) => resolveName(db, body, writing)))

  router.handle(sourceContract.listAliases, async ({ db }) => {
    const rows = await db.selectFrom('country_aliases').selectAll().orderBy('alias').limit(1_000).execute()
    return { aliases: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })) }
  })

  router.act(sourceContract.removeAlias, (ctx, { params }) =>
    write(ctx, async (db, writing) => {
      await removeAlias(db, params.alias, writing)
      return { removed: true as const }
    }),
  )
}

const EXPORTED = [
  'id',
  'title',
  'severity_level',
  'advisory_type',
  'is_urgent',
  'source_id',
  'source_name',
  'country_codes',
  'country_count',
  'standing',
  'removal',
  'version',
  'last_updated',
  'expiry_date',
  'updated_at',
] as const satisfies readonly (keyof contract.ManagedAdvisory)[]

const textOf = (value: contract.ManagedAdvisory[(typeof EXPORTED)[number]]) =>
  Array.isArray(value) ? value.join(' ') : value
