import type { AdvisoryModel } from '#server/advisories/model.ts'
import { listLatest } from '#server/audit/queries.ts'
import { findBackupState } from '#server/backup/queries.ts'
import { agesOf } from '#server/churches/care.ts'
import { countCare, countQueues, NO_CARE } from '#server/churches/care-queries.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Scope } from '#server/db/claims.ts'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { BackupSettings } from '#server/env.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { byUrgency } from '#shared/advisories/severity.ts'
import type { BackupState } from '#shared/backup/endpoints.ts'
import {
  COORDINATED_ADVISORIES,
  getAcknowledgment,
  getAdminFrame,
  getCoordination,
  getDashboard,
  getOverview,
  getOwnCountries,
  listCallsForHelp,
  RECENT_ACTIVITY,
  searchAdmin,
} from '#shared/overview/endpoints.ts'
import { isAdmin, mayPass, type Role } from '#shared/roles.ts'
import { findCallsForHelp } from './calls-for-help.ts'
import { findAcknowledgments, findOwnProfile, missingFields, ownCountries } from './dashboard.ts'
import {
  countAnnouncementsToApprove,
  countExpiredFacts,
  countOpenCases,
  countUnresolvedNames,
  findUsers,
  openAlarms,
  waitingAccounts,
  waitingMessages,
} from './queries.ts'
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
  const { settings, backup } = deps
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
        await findPlaces(db, scope),
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
      unresolved_names: await countUnresolvedNames(db),
      expired_facts: await countExpiredFacts(db, now),
      church_care: await careOf(db, user.role, settings),
      activity: await listLatest(db, RECENT_ACTIVITY),
    }))
    const isTrial = database.engine === 'pglite' && !backup
    const portal = await inBackground(database, 'overview', async (db) => ({
      failed_messages: await waitingMessages(db),
      alarms: await openAlarms(db),
      backup: isTrial ? null : summaryOf(await findBackupState(db, backup, now)),
    }))
    return { ...own, ...portal }
  })

  router.handle(listCallsForHelp, ({ db, user }) => findCallsForHelp(db, user.id))
}

/** What concerns the countries and chapters of a coordinator. */
function coordination(router: Router, { advisories, settings }: OverviewDeps) {
  router.handle(getCoordination, async ({ db, user, now }) => {
    const { id, scope, role } = user
    const places = await findPlaces(db, scope)
    const near = places && [...places.countries, ...places.chapters.flatMap(({ country_code }) => country_code ?? [])]
    const there = advisories
      .inForce(now)
      .filter(({ is_urgent, country_codes }) =>
        near && near.length > 0 ? country_codes.some((code) => near.includes(code)) : is_urgent,
      )
      .toSorted(byUrgency)
    const isNowhere = near?.length === 0 && places?.chapters.length === 0
    return {
      countries: places && (scope?.countries?.length || isNowhere) ? places.countries : null,
      chapters:
        places && (scope?.chapters?.length || isNowhere)
          ? places.chapters.map(({ chapter_name }) => chapter_name)
          : null,
      new_accounts: await waitingAccounts(db, id),
      church_care: await careOf(db, role, settings),
      advisories: there.slice(0, COORDINATED_ADVISORIES),
      advisory_count: there.length,
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

const summaryOf = ({ is_late, is_untested, last_backup }: BackupState) => ({
  is_late,
  is_untested,
  last_at: last_backup?.at ?? null,
})

/** A role's scope, with the chapters that still exist; null: everywhere. */
async function findPlaces(db: Db, scope: Scope | undefined) {
  if (!scope) return null
  const ids = scope.chapters ?? []
  const chapters =
    ids.length === 0
      ? []
      : await db
          .selectFrom('mfa_local_chapters')
          .select(['chapter_name', 'country_code'])
          .where('id', 'in', ids)
          .orderBy('chapter_name')
          .execute()
  return { countries: scope.countries ?? [], chapters }
}
