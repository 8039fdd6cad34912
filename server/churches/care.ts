import { countTry, LIMITS } from '#server/accounts/limits.ts'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { type ActionContext, claimsOf, type Router } from '#server/http/router.ts'
import { writeAndRefresh } from '#server/http/writes.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import {
  applyCorrection,
  CARED_PER_PAGE,
  closeMyChurch,
  confirmMyChurch,
  declineCorrection,
  listCorrections,
  listMyChurches,
  listVisitorMessages,
  markAnswered,
  QUEUE_PER_PAGE,
  readMyChurch,
  reopenMyChurch,
  requestConfirmation,
  saveServices,
} from '#shared/churches/care.ts'
import { applyProposed, decline, setAnswered } from './care-decisions.ts'
import {
  type Ages,
  countCare,
  countQueues,
  findCorrections,
  findMyChurch,
  findMyChurches,
  findVisitorMessages,
  serializeLocale,
} from './care-queries.ts'
import { closeLocale, saveServicesOf } from './care-updates.ts'
import { type ConfirmedAs, confirmLocale, noLocale } from './confirmation.ts'
import { askServants } from './confirmation-requests.ts'
import { type ChurchDeps, countryNames } from './deps.ts'
import { publicSchedule } from './projection.ts'

/** Endpoints for users who look after locales. Row-level policies decide which those are. */
export function registerChurchCare(router: Router, deps: ChurchDeps) {
  readingCare(router, deps)
  writingCare(router, deps)
}

/** The locales in the caller's care, with what waits there. */
function readingCare(router: Router, deps: ChurchDeps) {
  const ages = () => agesOf(deps.settings)

  router.handle(listMyChurches, async ({ db }, { query: { page, ...filters } }) => {
    const counts = await countCare(db, ages())
    const found = await findMyChurches(
      db,
      { ...filters, limit: CARED_PER_PAGE, offset: (page - 1) * CARED_PER_PAGE },
      ages(),
    )
    const waiting = { corrections: counts.corrections.count, messages: counts.messages.count }
    return { ...found, page, per_page: CARED_PER_PAGE, counts: { ...counts, ...waiting } }
  })

  router.handle(listCorrections, async ({ db }, { query: { page } }) => ({
    corrections: await findCorrections(db, pageOf(page)),
    total: (await countQueues(db)).corrections.count,
    page,
  }))

  router.handle(listVisitorMessages, async ({ db }, { query: { page } }) => ({
    messages: await findVisitorMessages(db, pageOf(page)),
    total: (await countQueues(db)).messages.count,
    page,
  }))

  router.handle(readMyChurch, async ({ db }, { params: { id } }) => {
    const row = await findMyChurch(db, id, ages())
    if (!row) throw noLocale()
    const schedules = await db
      .selectFrom('locale_schedules')
      .selectAll()
      .where('locale_id', '=', id)
      .orderBy('position')
      .orderBy('id')
      .execute()
    const { updated_at, ...locale } = serializeLocale(row)
    return {
      locale: { ...locale, version: updated_at.toISOString(), schedules: schedules.map(publicSchedule) },
      corrections: await findCorrections(db, { localeId: id, ...pageOf(1) }),
      messages: await findVisitorMessages(db, { localeId: id, ...pageOf(1) }),
    }
  })
}

/** Confirmations, services, closures and corrections of these locales. */
function writingCare(router: Router, deps: ChurchDeps) {
  const ages = () => agesOf(deps.settings)
  const names = () => countryNames(deps.countries())

  const write = <T>(ctx: ActionContext, fn: (db: Db) => Promise<T>) => writeAndRefresh(ctx, deps.readModel, fn)

  router.act(confirmMyChurch, async (ctx, { params }) => {
    const { user } = ctx
    const by = { user, as: user.role as ConfirmedAs }
    const confirmed = await write(ctx, (db) => confirmLocale(db, params.id, by, names()))
    return { confirmed_at: confirmed.toISOString() }
  })

  router.act(requestConfirmation, async ({ database, session, user, now }, { params: { id } }) => {
    await withClaims(database, claimsOf(session), async (db) => {
      if (!(await findMyChurch(db, id, ages()))) throw noLocale()
    })
    await countTry(database, LIMITS.localeConfirmation, id)
    const mails = { ...deps, brand: deps.settings.get('brand'), now }
    return withClaims(database, claimsOf(session), async (db) => {
      const count = await asPortal(db, () => askServants(db, id, mails))
      await audit(db, user, {
        action: 'locale.request_confirmation',
        subject_type: 'locale',
        subject_id: id,
        after: { asked: count },
      })
      return { asked: count }
    })
  })

  router.act(closeMyChurch, (ctx, { params, body }) =>
    write(ctx, (db) => closeLocale(db, ctx.user, params.id, body, names())),
  )

  router.act(reopenMyChurch, (ctx, { params }) =>
    write(ctx, (db) => closeLocale(db, ctx.user, params.id, null, names())),
  )

  router.act(saveServices, (ctx, { params, body }) =>
    write(ctx, (db) => saveServicesOf(db, ctx.user, params.id, body, names())),
  )

  router.act(applyCorrection, (ctx, { params, body }) =>
    write(ctx, (db) => applyProposed(db, ctx.user, params.id, body, names())),
  )

  router.handle(declineCorrection, ({ db, user }, { params, body }) => decline(db, user, params.id, body.note))

  router.handle(markAnswered, ({ db, user }, { params }) => setAnswered(db, user, params.id))
}

export const agesOf = (settings: Pick<SettingsModel, 'get'>): Ages => ({
  confirm: settings.get('locales.confirm_after_days'),
  callFirst: settings.get('locales.call_first_after_days'),
})

const pageOf = (page: number) => ({ limit: QUEUE_PER_PAGE, offset: (page - 1) * QUEUE_PER_PAGE })
