import { containing } from '#server/db/like.ts'
import type { Router } from '#server/http/router.ts'
import * as discretion from '#shared/churches/managed-discretion.ts'
import * as list from '#shared/churches/managed-list.ts'
import * as locale from '#shared/churches/managed-locale.ts'
import * as photo from '#shared/churches/managed-photos.ts'
import * as schedule from '#shared/churches/managed-schedules.ts'
import * as servant from '#shared/churches/managed-servants.ts'
import { AppError } from '#shared/errors.ts'
import type { ChurchDeps } from '../deps.ts'
import { findAdminLocale, findAdminLocaleDetail, schedulesOf, servantsOf } from './admin-locale.ts'
import { confirmLocaleAsAdmin, createLocale, deleteLocale, updateLocale } from './changes.ts'
import { consequencesOf, targetOf } from './consequences.ts'
import { changeDiscretion, countByCountry, listDiscretion } from './discretion.ts'
import { decideRequest, listRequests } from './discretion-requests.ts'
import { findDuplicates } from './duplicates.ts'
import { attachPhoto, changePhoto, publicPhoto, removePhoto, savePhoto } from './photos.ts'
import { listManagedRows } from './queries.ts'
import { addSchedule, changeSchedule, removeSchedule } from './schedules.ts'
import { addServant, changeServant, removeServant } from './servants.ts'
import { createWriter } from './write-context.ts'

/** Admin endpoints for locales. Every change writes rows, public rows and audit entry in one transaction. */
export function registerLocalesAdmin(router: Router, deps: ChurchDeps) {
  registerLocales(router, deps)
  registerServants(router, deps)
  registerSchedules(router, deps)
  registerPhotos(router, deps)
  registerDiscretion(router, deps)
}

/** Locales themselves. */
function registerLocales(router: Router, deps: ChurchDeps) {
  const write = createWriter(deps)

  router.handle(list.listManagedLocales, async ({ db }, { query }) => ({
    ...(await listManagedRows(db, query)),
    page: query.page,
    per_page: query.per_page,
  }))

  router.handle(locale.getManagedLocale, ({ db }, { params }) => findAdminLocaleDetail(db, params.id, deps.countries()))

  router.handle(locale.listDuplicates, async ({ db }, { query }) => ({ duplicates: await findDuplicates(db, query) }))

  router.act(locale.createLocale, (ctx, { body: { save_anyway, ...fields } }) =>
    write(ctx, async (db, writing) => ({
      locale: await findAdminLocale(db, await createLocale(db, fields, { save_anyway }, writing)),
    })),
  )

  router.act(locale.updateLocale, (ctx, { params: { id }, body }) =>
    write(ctx, async (db, writing) => {
      await updateLocale(db, id, body, writing)
      return { locale: await findAdminLocale(db, id) }
    }),
  )

  router.act(locale.deleteLocale, (ctx, { params: { id }, body }) =>
    write(ctx, async (db, writing) => {
      await deleteLocale(db, id, body, writing)
      return { deleted: true as const }
    }),
  )

  router.act(locale.confirmLocale, (ctx, { params: { id } }) =>
    write(ctx, async (db, writing) => {
      await confirmLocaleAsAdmin(db, id, writing)
      return { locale: await findAdminLocale(db, id) }
    }),
  )
}

/** Servants of a locale, and the accounts that may become one. */
function registerServants(router: Router, deps: ChurchDeps) {
  const write = createWriter(deps)

  router.handle(servant.listServants, async ({ db }, { params: { id } }) => {
    await findAdminLocale(db, id)
    return { servants: await servantsOf(db, id) }
  })

  router.act(servant.createServant, (ctx, { params, body }) =>
    write(ctx, async (db, writing) => ({ servant: await addServant(db, params.id, body, writing) })),
  )

  router.act(servant.updateServant, (ctx, { params, body }) =>
    write(ctx, async (db, writing) => ({
      servant: await changeServant(db, params.id, params.servant, body, writing),
    })),
  )

  router.act(servant.deleteServant, (ctx, { params }) =>
    write(ctx, async (db, writing) => {
      await removeServant(db, params.id, params.servant, writing)
      return { deleted: true as const }
    }),
  )

  router.handle(servant.listServantAccounts, async ({ db }, { query: { search } }) => {
    let accounts = db
      .selectFrom('user_profiles')
      .select(['id', 'display_name', 'email'])
      .where('role', '=', 'local_servant')
      .where('profile_status', 'in', ['pending', 'active'])
    if (search) accounts = accounts.where('search_text', 'like', containing(search))
    return { accounts: await accounts.orderBy('display_name').orderBy('id').limit(MAX_ACCOUNTS).execute() }
  })
}

/** Services of a locale. */
function registerSchedules(router: Router, deps: ChurchDeps) {
  const write = createWriter(deps)

  router.handle(schedule.listSchedules, async ({ db }, { params: { id } }) => {
    await findAdminLocale(db, id)
    return { schedules: await schedulesOf(db, id) }
  })

  router.act(schedule.createSchedule, (ctx, { params, body }) =>
    write(ctx, async (db, writing) => ({ schedule: await addSchedule(db, params.id, body, writing) })),
  )

  router.act(schedule.updateSchedule, (ctx, { params, body }) =>
    write(ctx, async (db, writing) => ({
      schedule: await changeSchedule(db, params.id, params.schedule, body, writing),
    })),
  )

  router.act(schedule.deleteSchedule, (ctx, { params }) =>
    write(ctx, async (db, writing) => {
      await removeSchedule(db, params.id, params.schedule, writing)
      return { deleted: true as const }
    }),
  )
}

/** Photos of a locale. */
function registerPhotos(router: Router, deps: ChurchDeps) {
  const write = createWriter(deps)

  const store = () => {
    if (deps.files) return deps.files
    throw new AppError(503, 'no_files', 'We cannot save files right now. Please try again later.')
  }

  router.act(photo.addPhoto, async (ctx, { params: { id }, query, body }) => {
    const file = await savePhoto(store(), ctx, id, body)
    return write(ctx, async (db, writing) => ({ photo: await attachPhoto(db, id, file, query.description, writing) }))
  })

  router.act(photo.updatePhoto, (ctx, { params: { id, file }, body }) =>
    write(ctx, async (db, writing) => ({ photo: await changePhoto(db, id, file, body, writing) })),
  )

  router.act(photo.deletePhoto, (ctx, { params: { id, file } }) =>
    write(ctx, async (db, writing) => {
      await removePhoto(db, id, file, writing)
      return { deleted: true as const }
    }),
  )

  router.act(photo.getPublicPhoto, (ctx, { params: { id, file } }) => publicPhoto(store(), ctx, id, file))
}

/** What the public may know of locales, by country or one by one. */
function registerDiscretion(router: Router, deps: ChurchDeps) {
  const write = createWriter(deps)

  router.handle(discretion.getDiscretion, async ({ db, user, now }) => ({
    discretion: await listDiscretion(db),
    countries: await countByCountry(db),
    requests: await listRequests(db, user.id, now),
  }))

  router.handle(discretion.getConsequences, async ({ db }, { query }) => {
    const target = await targetOf(db, query, deps.countries())
    return consequencesOf(db, target, {
      discreet_mode: query.discreet_mode ?? null,
      needs_second: query.needs_second ?? target.rule?.needs_second ?? true,
    })
  })

  router.act(discretion.setDiscretion, (ctx, { body }) =>
    write(ctx, (db, writing) => changeDiscretion(db, body, writing)),
  )

  router.act(discretion.decideDiscretion, (ctx, { params, body }) =>
    write(ctx, async (db, writing) => ({ locales: await decideRequest(db, params.id, body.decision, writing) })),
  )
}

const MAX_ACCOUNTS = 500
