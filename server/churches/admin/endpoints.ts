import { containing } from '#server/accounts/users/search.ts'
import type { Door } from '#server/http/door.ts'
import * as discretion from '#shared/churches/managed-discretion.ts'
import * as list from '#shared/churches/managed-list.ts'
import * as locale from '#shared/churches/managed-locale.ts'
import * as photo from '#shared/churches/managed-photos.ts'
import * as schedule from '#shared/churches/managed-schedules.ts'
import * as servant from '#shared/churches/managed-servants.ts'
import { AppError } from '#shared/errors.ts'
import type { ChurchParts } from '../area.ts'
import { confirmLocaleByHand, createLocaleByHand, deleteLocaleByHand, updateLocaleByHand } from './changing.ts'
import { consequencesOf, targetOf } from './consequences.ts'
import { changeDiscretion, countByCountry, listDiscretion } from './discretion.ts'
import { decideRequest, listRequests } from './discretion-requests.ts'
import { findDuplicates } from './duplicates.ts'
import { findInHand, findWholeInHand, schedulesOf, servantsOf } from './inHand.ts'
import { listManagedRows } from './listing.ts'
import { attachPhoto, changePhoto, keepPhoto, publicPhoto, removePhoto } from './photos.ts'
import { addSchedule, changeSchedule, removeSchedule } from './schedules.ts'
import { addServant, changeServant, removeServant } from './servants.ts'
import { writer } from './writing.ts'

/** Locales for administrators. Every change is one transaction: rows, what the public sees of them, audit trail. */
export function managedLocales(door: Door, parts: ChurchParts) {
  const write = writer(parts)

  door.handle(list.listManagedLocales, async ({ db }, { query }) => ({
    ...(await listManagedRows(db, query)),
    page: query.page,
    per_page: query.per_page,
  }))

  door.handle(locale.getManagedLocale, ({ db }, { params }) => findWholeInHand(db, params.id, parts.countries()))

  door.handle(locale.listDuplicates, async ({ db }, { query }) => ({ duplicates: await findDuplicates(db, query) }))

  door.act(locale.createLocale, (asked, { body: { save_anyway, ...fields } }) =>
    write(asked, async (db, writing) => ({
      locale: await findInHand(db, await createLocaleByHand(db, fields, { save_anyway }, writing)),
    })),
  )

  door.act(locale.updateLocale, (asked, { params: { id }, body }) =>
    write(asked, async (db, writing) => {
      await updateLocaleByHand(db, id, body, writing)
      return { locale: await findInHand(db, id) }
    }),
  )

  door.act(locale.deleteLocale, (asked, { params: { id }, body }) =>
    write(asked, async (db, writing) => {
      await deleteLocaleByHand(db, id, body, writing)
      return { deleted: true as const }
    }),
  )

  door.act(locale.confirmLocale, (asked, { params: { id } }) =>
    write(asked, async (db, writing) => {
      await confirmLocaleByHand(db, id, writing)
      return { locale: await findInHand(db, id) }
    }),
  )

  door.handle(servant.listServants, async ({ db }, { params: { id } }) => {
    await findInHand(db, id)
    return { servants: await servantsOf(db, id) }
  })

  door.act(servant.createServant, (asked, { params, body }) =>
    write(asked, async (db, writing) => ({ servant: await addServant(db, params.id, body, writing) })),
  )

  door.act(servant.updateServant, (asked, { params, body }) =>
    write(asked, async (db, writing) => ({
      servant: await changeServant(db, params.id, params.servant, body, writing),
    })),
  )

  door.act(servant.deleteServant, (asked, { params }) =>
    write(asked, async (db, writing) => {
      await removeServant(db, params.id, params.servant, writing)
      return { deleted: true as const }
    }),
  )

  door.handle(servant.listServantAccounts, async ({ db }, { query: { search } }) => {
    let accounts = db
      .selectFrom('user_profiles')
      .select(['id', 'display_name', 'email'])
      .where('role', '=', 'local_servant')
      .where('profile_status', 'in', ['pending', 'active'])
    if (search) accounts = accounts.where('search_text', 'like', containing(search))
    return { accounts: await accounts.orderBy('display_name').orderBy('id').limit(MOST_ACCOUNTS).execute() }
  })

  door.handle(schedule.listSchedules, async ({ db }, { params: { id } }) => {
    await findInHand(db, id)
    return { schedules: await schedulesOf(db, id) }
  })

  door.act(schedule.createSchedule, (asked, { params, body }) =>
    write(asked, async (db, writing) => ({ schedule: await addSchedule(db, params.id, body, writing) })),
  )

  door.act(schedule.updateSchedule, (asked, { params, body }) =>
    write(asked, async (db, writing) => ({
      schedule: await changeSchedule(db, params.id, params.schedule, body, writing),
    })),
  )

  door.act(schedule.deleteSchedule, (asked, { params }) =>
    write(asked, async (db, writing) => {
      await removeSchedule(db, params.id, params.schedule, writing)
      return { deleted: true as const }
    }),
  )

  const store = () => {
    if (parts.files) return parts.files
    throw new AppError(503, 'no_files', 'No files can be kept at the moment.')
  }

  door.act(photo.addPhoto, async (asked, { params: { id }, query, body }) => {
    const file = await keepPhoto(store(), asked, id, body)
    return write(asked, async (db, writing) => ({ photo: await attachPhoto(db, id, file, query.description, writing) }))
  })

  door.act(photo.updatePhoto, (asked, { params: { id, file }, body }) =>
    write(asked, async (db, writing) => ({ photo: await changePhoto(db, id, file, body, writing) })),
  )

  door.act(photo.deletePhoto, (asked, { params: { id, file } }) =>
    write(asked, async (db, writing) => {
      await removePhoto(db, id, file, writing)
      return { deleted: true as const }
    }),
  )

  door.act(photo.getPublicPhoto, (asked, { params: { id, file } }) => publicPhoto(store(), asked, id, file))

  door.handle(discretion.getDiscretion, async ({ db, session, now }) => ({
    discretion: await listDiscretion(db),
    countries: await countByCountry(db),
    requests: await listRequests(db, session.user!.id, now),
  }))

  door.handle(discretion.getConsequences, async ({ db }, { query }) => {
    const target = await targetOf(db, query, parts.countries())
    return consequencesOf(db, target, {
      discreet_mode: query.discreet_mode ?? null,
      needs_second: query.needs_second ?? target.rule?.needs_second ?? true,
    })
  })

  door.act(discretion.setDiscretion, (asked, { body }) =>
    write(asked, (db, writing) => changeDiscretion(db, body, writing)),
  )

  door.act(discretion.decideDiscretion, (asked, { params, body }) =>
    write(asked, async (db, writing) => ({ locales: await decideRequest(db, params.id, body.decision, writing) })),
  )
}

const MOST_ACCOUNTS = 500
