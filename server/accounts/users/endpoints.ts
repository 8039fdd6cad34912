import { audit } from '#server/audit/audit-log.ts'
import { historyOf, listLately } from '#server/audit/queries.ts'
import { withClaims } from '#server/db/claims.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import { findRecipient } from '#server/notifications/admin/announcements/scope.ts'
import {
  changeRole,
  changeStatus,
  clearSuppression,
  createUser,
  endUserSessions,
  previewRole,
  recoverUser,
  updateUser,
} from '#shared/accounts/user-changes.ts'
import {
  COORDINATOR_TABS,
  countRoles,
  findUser,
  getContact,
  listUsers,
  listUsersByRole,
  type UserTab,
} from '#shared/accounts/users.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin, isCoordinator, mayPass, ROLES } from '#shared/roles.ts'
import { findFreshness, requireFresh } from '../own/freshness.ts'
import { findFailedSignIns } from '../sign-ins/failures.ts'
import { addAccount } from './add-account.ts'
import { detailOf } from './detail.ts'
import { savedUsers } from './export.ts'
import { lockProfile, mapDatabaseErrors, NOT_FOUND, refuseSelf } from './profile-guards.ts'
import {
  countByRole,
  countMatching,
  countTabs,
  findProfile,
  findSigns,
  listByRole,
  listUserRows,
  MAX_SAVED,
} from './queries.ts'
import { sendRecovery } from './recovery.ts'
import { endSessions, giveRole, type RoleDeps, refuseLimits } from './role.ts'
import { compareRoles, countWork } from './role-preview.ts'
import { setStatus } from './status.ts'
import { removeSuppression } from './suppressions.ts'
import { updateDetails } from './update-details.ts'

/** Users, their roles and their states, as administrators manage them (N-20). */
export function registerUsers(router: Router, deps: RoleDeps) {
  registerUserRecords(router)
  registerUserChanges(router, deps)
}

/** Lists, the page of one person, and what others may see of a person. */
function registerUserRecords(router: Router) {
  router.handle(listUsers, async ({ db, user, now }, { query: { format, ...query } }) => {
    const by = user
    if (!isAdmin(by.role) && !(COORDINATOR_TABS as readonly UserTab[]).includes(query.tab)) throw forbidden()
    if (format === 'csv') {
      if (!isAdmin(by.role)) throw forbidden()
      const all = await listUserRows(db, by, { ...query, page: 1, per_page: MAX_SAVED }, now)
      return savedUsers(all.users) as never
    }
    const { users, total } = await listUserRows(db, by, query, now)
    const isNew = query.tab === 'new'
    return {
      users,
      total,
      page: query.page,
      per_page: query.per_page,
      counts: await countTabs(db, by),
      suggested: isNew ? await countMatching(db, by, { ...query, suggested: 'yes' }, now) : 0,
    }
  })

  // Not in one transaction: the auth_ tables are read as the login role.
  router.act(findUser, async ({ database, session, user, now }, { params }) => {
    const claims = claimsOf(session)
    const by = user
    const found = await withClaims(database, claims, async (db) => {
      const profile = await findProfile(db, params.id)
      if (!profile) throw NOT_FOUND()
      return {
        profile,
        signs: await findSigns(db, params.id),
        history: await historyOf(db, 'user', params.id),
        lately: await listLately(db, params.id),
        failedSignIns: isAdmin(by.role) ? await findFailedSignIns(db, profile.auth_user_id) : null,
        recipient: mayPass('composeAnnouncements', by.role) ? await findRecipient(db, by, params.id) : null,
      }
    })
    return {
      user: await detailOf(database, found.profile, found.signs, found.failedSignIns, by),
      history: found.history,
      lately: found.lately,
      can_write: found.recipient !== null,
      work:
        isAdmin(by.role) && isCoordinator(found.profile.role)
          ? await countWork(database, params.id, found.profile, now)
          : null,
    }
  })

  router.handle(listUsersByRole, ({ db }, { params, query }) => listByRole(db, params.role, query))

  router.handle(countRoles, async ({ db }) => {
    const counted = await countByRole(db)
    const none = { total: 0, scoped: 0, ending: 0 }
    return { roles: ROLES.map((role) => ({ ...none, ...counted.find((row) => row.role === role), role })) }
  })

  router.handle(getContact, async ({ db, user }, { params }) => {
    // Row-level security shows coordinators the users of their countries too, but addresses must not leak here.
    if (params.id !== user.id && !isAdmin(user.role)) throw NOT_FOUND()
    const profile = await findProfile(db, params.id)
    if (!profile) throw NOT_FOUND()
    return { email: profile.email, phone_number: profile.phone_number }
  })
}

/** Accounts: made, changed, recovered, signed out. */
function registerUserChanges(router: Router, deps: RoleDeps) {
  router.act(createUser, async ({ database, session, user, now }, { body: { current_password, ...body } }) => {
    refuseLimits({ ...body, role_ends_on: null }, deps.countries(), now)
    // A traveler's account grants no access to others; every other role does.
    if (body.role !== 'traveler') await requireFresh(database, session, current_password)
    return { id: await addAccount(database, user, body, deps) }
  })

  router.handle(updateUser, async ({ db, user, now }, { params, body }) => {
    await updateDetails(db, user, params.id, body, deps.countries(), now)
    return {}
  })

  // Not in one transaction: the caller's identity is checked as the login role.
  router.act(changeRole, async ({ database, session, user, now }, { params, body: { current_password, ...body } }) => {
    refuseSelf(user, params.id)
    refuseLimits(body, deps.countries(), now)
    await requireFresh(database, session, current_password)
    return withClaims(database, claimsOf(session), (db) =>
      mapDatabaseErrors(() => giveRole(db, user, params.id, body, deps, now)),
    )
  })

  router.act(previewRole, async ({ database, session, now }, { params, body }) => {
    refuseLimits(body, deps.countries(), now)
    const profile = await withClaims(database, claimsOf(session), (db) => findProfile(db, params.id))
    if (!profile) throw NOT_FOUND()
    return {
      ...(await compareRoles(database, params.id, profile, body, now)),
      is_fresh: (await findFreshness(database, session)).is_fresh,
    }
  })

  router.handle(changeStatus, ({ db, user, now }, { params, body }) =>
    mapDatabaseErrors(() => setStatus(db, user, params.id, body, deps, now)),
  )

  router.act(recoverUser, async ({ database, session, user }, { params }) => {
    const profile = await withClaims(database, claimsOf(session), (db) => lockProfile(db, params.id))
    await sendRecovery(database, user, profile, deps)
    return {}
  })

  router.handle(clearSuppression, async ({ db, user }, { params, body }) => {
    await removeSuppression(db, user, await lockProfile(db, params.id), body)
    return {}
  })

  router.handle(endUserSessions, async ({ db, user }, { params }) => {
    await lockProfile(db, params.id)
    const ended = await endSessions(db, params.id)
    await audit(db, user, {
      action: 'user.sessions',
      subject_type: 'user',
      subject_id: params.id,
      after: { ended },
    })
    return { ended }
  })
}

const forbidden = () => new AppError(403, 'forbidden', 'Your role does not allow this.')
