import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { csvResponse } from '#server/http/csv.ts'
import { type ActAsked, claimsOf, type Door } from '#server/http/door.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import { decideWithheld, findWithheld } from '#server/notifications/withheld.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import * as contract from '#shared/advisories/admin.ts'
import * as sourceContract from '#shared/advisories/admin-sources.ts'
import * as announcements from '#shared/advisories/announcements.ts'
import { AppError } from '#shared/errors.ts'
import { decideWithheldNews, listWithheldNews } from '#shared/notifications/withheld.ts'
import type { FeedParts } from '../feeds/parts.ts'
import type { AdvisoryModel } from '../model.ts'
import { acceptLevelByHand, acceptLevelsOfSource } from './accepting.ts'
import { findWritableSource } from './entry.ts'
import { findInHand, historyOf, versionsOf } from './inHand.ts'
import { listManaged } from './listing.ts'
import { removeAliasByHand, resolveByHand } from './names.ts'
import { announcementsOf, notifyByHand } from './notifying.ts'
import { previewByHand } from './preview.ts'
import { changeSourceByHand, createSourceByHand, removeSourceByHand } from './source-entry.ts'
import { previewReading } from './source-preview.ts'
import { findManagedSource, listManagedSources, updateSourceByHand } from './sources.ts'
import { switchByHand } from './switching.ts'
import { createByHand, deleteByHand, duplicateByHand, updateByHand, type Writing } from './writing.ts'

interface Parts {
  model: AdvisoryModel
  readModel: ReadModel
  countries: () => Countries
  /** Undefined in a process that fetches nothing. */
  feeds?: FeedParts | undefined
  secret: string
}

/** Advisories and their sources for administrators. Every change is one transaction: row, version, audit trail. */
export function managedAdvisories(door: Door, parts: Parts) {
  const { model } = parts

  /** A write and what it answers; this node's pages show it when the answer is there, the others a moment later. */
  async function write<T>({ database, session, now }: ActAsked, fn: (db: Db, writing: Writing) => Promise<T>) {
    if (!session.user) throw new AppError(401, 'sign_in', 'Please sign in to do this.')
    const writing = { by: session.user, now, countries: parts.countries() }
    const done = await withClaims(database, claimsOf(session), (db) => fn(db, writing))
    // The change is made. Should reading it back fail, the model catches up by itself.
    await parts.readModel.catchUp().catch(() => {})
    return done
  }
  const inHand = async (db: Db, id: string, now: Date) => ({ advisory: await findInHand(db, id, { model, now }) })

  door.handle(contract.listManagedAdvisories, async ({ db, now }, { query }) => ({
    ...(await listManaged(db, query, { model, now })),
    page: query.page,
    per_page: query.per_page,
  }))

  door.handle(contract.exportManagedAdvisories, async ({ db, now }, { query }) => {
    const { advisories } = await listManaged(db, query, { model, now, isWhole: true })
    return csvResponse<contract.ManagedAdvisory>(
      'travel-advisories',
      EXPORTED.map((name) => ({ label: name, value: (row) => textOf(row[name]) })),
      advisories,
    )
  })

  door.handle(contract.getManagedAdvisory, async ({ db, now }, { params: { id } }) => ({
    ...(await inHand(db, id, now)),
    versions: await versionsOf(db, id),
    history: await historyOf(db, 'travel_advisory', id),
  }))

  door.act(contract.createAdvisory, (asked, { body: { is_draft, key, ...entry } }) =>
    write(asked, async (db, writing) => {
      const id = await createByHand(db, entry, { is_draft, key }, writing)
      return inHand(db, id, asked.now)
    }),
  )

  door.act(contract.updateAdvisory, (asked, { params: { id }, body: { made_from, is_draft, ...entry } }) =>
    write(asked, async (db, writing) => {
      await updateByHand(db, id, entry, { made_from, is_draft }, writing)
      return inHand(db, id, asked.now)
    }),
  )

  door.act(contract.switchAdvisory, (asked, { params: { id }, body }) =>
    write(asked, async (db, writing) => {
      await switchByHand(db, id, body, writing)
      return inHand(db, id, asked.now)
    }),
  )

  door.act(contract.duplicateAdvisory, (asked, { params: { id } }) =>
    write(asked, async (db, writing) => inHand(db, await duplicateByHand(db, id, writing), asked.now)),
  )

  door.act(contract.deleteAdvisory, (asked, { params: { id }, body }) =>
    write(asked, async (db, writing) => {
      await deleteByHand(db, id, body, writing)
      return { deleted: true as const }
    }),
  )

  door.act(contract.acceptLevel, (asked, { params: { id }, body }) =>
    write(asked, async (db, writing) => {
      await acceptLevelByHand(db, id, body, writing)
      return inHand(db, id, asked.now)
    }),
  )

  door.act(contract.acceptLevelsOfSource, (asked, { params, body }) =>
    write(asked, async (db, writing) => ({ accepted: await acceptLevelsOfSource(db, params.source, body, writing) })),
  )

  door.handle(announcements.listAnnouncementsOf, ({ db, now }, { params: { id } }) => announcementsOf(db, id, now))

  door.act(announcements.notifyNow, (asked, { params: { id }, body }) =>
    write(asked, async (db, writing) => ({ announcement_id: await notifyByHand(db, id, body, writing) })),
  )

  door.handle(contract.previewAdvisory, async ({ db, now }, { body: { id, ...entry } }) => {
    const source = await findWritableSource(db, entry.source_id)
    return previewByHand(db, entry, id, { source, now, countries: parts.countries(), model })
  })

  door.handle(sourceContract.listManagedSources, async ({ db, now }) => ({
    sources: await listManagedSources(db, now),
  }))

  door.handle(sourceContract.getManagedSource, ({ db, now }, { params }) => findManagedSource(db, params.source, now))

  door.act(sourceContract.updateSource, (asked, { params, body }) =>
    write(asked, async (db, writing) => ({ source: await updateSourceByHand(db, params.source, body, writing) })),
  )

  door.handle(listWithheldNews, async ({ db }, { params }) => ({ news: await findWithheld(db, params.source) }))

  door.act(decideWithheldNews, (asked, { params, body }) =>
    write(asked, (db, writing) => decideWithheld(db, params.source, body, writing)),
  )
  const previews = createRateLimit({ count: 30, seconds: 60 })
  door.act(sourceContract.previewSource, ({ session, now }, { body }) => {
    previews.take(session.user?.id ?? session.address)
    return previewReading(body, { countries: parts.countries(), now, feeds: parts.feeds, secret: parts.secret })
  })

  door.act(sourceContract.createSource, (asked, { body }) =>
    write(asked, async (db, writing) => ({
      source: await createSourceByHand(db, body, { ...writing, secret: parts.secret }),
    })),
  )

  door.act(sourceContract.changeSource, (asked, { params, body }) =>
    write(asked, async (db, writing) => ({
      source: await changeSourceByHand(db, params.source, body, { ...writing, secret: parts.secret }),
    })),
  )

  door.act(sourceContract.removeSource, (asked, { params, body }) =>
    write(asked, async (db, writing) => ({
      removed: true as const,
      withdrawn: await removeSourceByHand(db, params.source, body, { ...writing, secret: parts.secret }),
    })),
  )

  door.act(sourceContract.resolveName, (asked, { body }) =>
    write(asked, (db, writing) => resolveByHand(db, body, writing)),
  )

  door.handle(sourceContract.listAliases, async ({ db }) => {
    const rows = await db.selectFrom('country_aliases').selectAll().orderBy('alias').limit(1_000).execute()
    return { aliases: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })) }
  })

  door.act(sourceContract.removeAlias, (asked, { params }) =>
    write(asked, async (db, writing) => {
      await removeAliasByHand(db, params.alias, writing)
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
