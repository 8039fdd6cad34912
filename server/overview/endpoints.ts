import type { AdvisoryModel } from '#server/advisories/model.ts'
import { listLatest } from '#server/audit/queries.ts'
import { agesOf } from '#server/churches/care.ts'
import { countCare, countQueues, NO_CARE } from '#server/churches/care-queries.ts'
import type { Countries } from '#server/countries/reference.ts'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { BackupSettings } from '#server/env.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import {
  getAcknowledgment,
  getAdminFrame,
  getCoordination,
  getDashboard,
  getOverview,
  getOwnCountries,
  MAX_PLACES,
  RECENT_ACTIVITY,
  searchAdmin,
} from '#shared/overview/endpoints.ts'
import { getQueue } from '#shared/overview/queue.ts'
import { isAdmin, mayPass, type Role } from '#shared/roles.ts'
import { findAcknowledgments, findOwnProfile, missingFields, ownCountries } from './dashboard.ts'
import { createDeliveryDays } from './delivery-days.ts'
import { findPlaces, findScope } from './places.ts'
import {
  countAnnouncementsToApprove,
  countOpenCases,
  countUnresolvedNames,
  findUsers,
  waitingAccounts,
  waitingMessages,
} from './queries.ts'
import { readQueue } from './queue.ts'
import { findRecords } from './record-search.ts'

interface OverviewDeps {
  advisories: AdvisoryModel
  settings: SettingsModel
  countries: () => Countries
  backup: BackupSettings | undefined
}

/** Overview data for the signed-in areas. */
export function registerOverview(router: Router, deps: OverviewDeps) {
  adminOverview(router, deps)
  coordination(router, deps)
  ownDashboard(router, deps)
}

/** What the admin area shows of itself: badges, search, tasks and calls for help. */
function adminOverview(router: Router, deps: OverviewDeps) {
  const { settings } = deps
  const deliveryDays = createDeliveryDays()
  // Not `handle`: messages are read by the portal itself, in a separate transaction.
  router.act(getAdminFrame, async ({ session, user, database }) => {
    const { id, role, scope } = user
    const [accounts, profile, care, announcements, cases, places] = await withClaims(
      database,
      claimsOf(session),
      async (db) => [
        await waitingAccounts(db, id),
        await findOwnProfile(db, id),
        mayPass('careForLocales', role) ? await countQueues(db) : NO_CARE,
        mayPass('manageNotifications', role) ? await countAnnouncementsToApprove(db, id) : 0,
        mayPass('takeCases', role) ? await countOpenCases(db) : 0,
        await findScope(db, scope),
      ],
    )
    const messages = isAdmin(role) ? await inBackground(database, 'overview', waitingMessages) : { count: 0 }
    return {
      new_accounts: accounts.count,
      failed_messages: messages.count,
      notices_to_approve: announcements,
      open_cases: cases,
      church_care: care.messages.count + care.corrections.count,
      has_scope: !places || places.countries.length + places.chapters.length > 0,
      single_key_shortcuts: profile.preferences.single_key_shortcuts ?? true,
    }
  })

  router.handle(searchAdmin, async ({ db, user, now }, { query }) => {
    // No text of the database holds a NUL.
    const search = query.search.replaceAll('\0', '')
    return {
      ...(await findUsers(db, search)),
      groups: await findRecords(db, { ...deps, search, user, now }),
    }
  })

  router.act(getOverview, async ({ session, user, database, now }) => {
    const own = await withClaims(database, claimsOf(session), async (db) => ({
      new_accounts: await waitingAccounts(db, user.id),
      open_cases: await countOpenCases(db),
      unresolved_names: await countUnresolvedNames(db),
      church_care: await careOf(db, user.role, settings),
      activity: await listLatest(db, RECENT_ACTIVITY),
    }))
    return {
      ...own,
      failed_messages: await inBackground(database, 'overview', waitingMessages),
      deliveries: await deliveryDays(database, now, settings.get('time_zone')),
    }
  })

  router.act(getQueue, (context, { query }) => readQueue(context, query, deps))
}

/** What concerns the countries and chapters of a coordinator. */
function coordination(router: Router, { advisories, settings }: OverviewDeps) {
  router.handle(getCoordination, async ({ db, user, now }) => {
    const { id, scope, role } = user
    const scoped = await findScope(db, scope)
    const isNowhere = scoped?.countries.length === 0 && scoped.chapters.length === 0
    const places = await findPlaces(db, { user, now, advisories, scoped })
    return {
      countries: scoped && (scope?.countries?.length || isNowhere) ? scoped.countries : null,
      chapters:
        scoped && (scope?.chapters?.length || isNowhere)
          ? scoped.chapters.map(({ chapter_name }) => chapter_name)
          : null,
      new_accounts: await waitingAccounts(db, id),
      church_care: await careOf(db, role, settings),
      places: places.slice(0, MAX_PLACES),
      place_count: places.length,
    }
  })
}

/** What concerns the signed-in user alone. */
function ownDashboard(router: Router, { advisories, settings }: OverviewDeps) {
  router.handle(getDashboard, async ({ db, user, now }) => {
    const profile = await findOwnProfile(db, user.id)
    const countries = ownCountries(profile)
    const there = countries.flatMap((code) => advisories.onCountry(code, now).map((advisory) => advisory.id))
    return {
      display_name: profile.display_name,
      email: profile.email,
      email_verified: profile.email_verified,
      countries,
      missing: missingFields(profile),
      acknowledged: await findAcknowledgments(db, user.id, there),
    }
  })

  router.handle(getOwnCountries, async ({ db, user }) => ({
    countries: ownCountries(await findOwnProfile(db, user.id)),
  }))

  router.handle(getAcknowledgment, async ({ db, user }, { params }) => {
    const [found] = await findAcknowledgments(db, user.id, [params.id])
    return {
      is_offered: settings.get('advisories.show_acknowledgments'),
      acknowledged_at: found?.acknowledged_at ?? null,
      version: found?.version ?? null,
    }
  })
}

/** Churches the caller is responsible for, and no others. */
async function careOf(db: Db, role: Role, settings: SettingsModel) {
  if (!mayPass('careForLocales', role)) return NO_CARE
  const { due, messages, corrections } = await countCare(db, agesOf(settings))
  return { due, messages, corrections }
}
