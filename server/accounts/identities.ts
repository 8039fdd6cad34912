import type { Transaction } from 'kysely'
import type { AuthProvider } from '#shared/accounts/profile.ts'
import { listIdentities, unlinkIdentity } from '#shared/accounts/ways.ts'
import { AppError } from '#shared/errors.ts'
import type { Tables } from '../db/tables.ts'
import type { Door } from '../http/door.ts'
import { auditOwn } from './audit.ts'

/** The own ways of signing in: listed, and taken away down to the last. */
export function identities(door: Door) {
  door.act(listIdentities, async ({ database, session }) => {
    const rows = await database.requests.kysely
      .selectFrom('auth_accounts')
      .select(['id', 'provider_id', 'created_at'])
      .where('user_id', '=', session.authUserId!)
      .orderBy('created_at')
      .execute()
    return {
      identities: rows.map(({ id, provider_id, created_at }) => ({
        id,
        provider: providerOf(provider_id),
        linked_at: created_at.toISOString(),
      })),
    }
  })

  door.act(unlinkIdentity, async ({ database, session }, { params }) => {
    await database.requests.kysely.transaction().execute(async (db) => {
      const held = await waysOf(db, session.authUserId!)
      const account = held.accounts.find(({ id }) => id === params.id)
      if (!account) throw new AppError(404, 'identity_not_found', 'There is no such way of signing in.')
      if (held.isLast) throw lastWay()
      await db.deleteFrom('auth_accounts').where('id', '=', account.id).execute()
      // Its id would otherwise link the hub again with the next sign-in there.
      if (account.provider_id === 'mcgi-hub')
        await db
          .updateTable('user_profiles')
          .set({ mcgi_hub_id: null })
          .where('auth_user_id', '=', session.authUserId!)
          .execute()
      await auditOwn(db, session, 'user.way', { before: { unlinked: providerOf(account.provider_id) } })
    })
    return {}
  })
}

const providerOf = (id: string) => (id === 'credential' ? 'supabase' : id) as AuthProvider

export const lastWay = () =>
  new AppError(409, 'last_way', 'This is your last way of signing in. Add another one before you take it away.')

/** The ways of a person, held until the transaction ends: of two that are taken away at once, one stays. */
export async function waysOf(db: Transaction<Tables>, userId: string) {
  await db.selectFrom('auth_users').select('id').where('id', '=', userId).forUpdate().execute()
  const accounts = await db
    .selectFrom('auth_accounts')
    .select(['id', 'provider_id'])
    .where('user_id', '=', userId)
    .execute()
  const passkeys = await db.selectFrom('auth_passkeys').select(['id', 'name']).where('user_id', '=', userId).execute()
  return { accounts, passkeys, isLast: accounts.length + passkeys.length <= 1 }
}
