import { sql, type Transaction } from 'kysely'
import type { Tables } from '#server/db/tables.ts'
import type { Router } from '#server/http/router.ts'
import { authUserIdOf } from '#server/http/session.ts'
import type { AuthProvider } from '#shared/accounts/profile.ts'
import type { SignInChangeKind } from '#shared/accounts/sign-in-changes.ts'
import { listIdentities, unlinkIdentity } from '#shared/accounts/sign-in-methods.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import { changeSignIn, type SignInChangeDeps } from './sign-in-changes.ts'

/** Lists one's own sign-in methods and removes them, except the last. */
export function registerIdentities(router: Router, deps: SignInChangeDeps) {
  router.act(listIdentities, async ({ database, session }) => {
    const rows = await database.requests.kysely
      .selectFrom('auth_accounts')
      .select(['id', 'provider_id', 'created_at'])
      .where('user_id', '=', authUserIdOf(session))
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

  router.act(unlinkIdentity, (ctx, { params, body }) =>
    changeSignIn(
      ctx,
      deps,
      async (db, owner) => {
        const known = await methodsOf(db, owner.id)
        const account = known.accounts.find(({ id }) => id === params.id)
        if (!account) throw new AppError(404, 'identity_not_found', 'Sign-in method not found.')
        if (known.isLast) throw lastMethod()
        const { password: _, ...former } = await rowOf(db, 'auth_accounts', account.id)
        await db.deleteFrom('auth_accounts').where('id', '=', account.id).execute()
        // Its id would otherwise link the hub again at the next hub sign-in.
        if (account.provider_id === 'mcgi-hub')
          await db.updateTable('user_profiles').set({ mcgi_hub_id: null }).where('id', '=', owner.profile.id).execute()
        const audit = { action: 'user.sign_in_method' as const, before: { unlinked: providerOf(account.provider_id) } }
        return { change: { kind: UNLINKED[providerOf(account.provider_id)], former, audit }, result: {} }
      },
      body.current_password,
    ),
  )
}

const UNLINKED = {
  supabase: 'password_removed',
  google: 'google_unlinked',
  'mcgi-hub': 'hub_unlinked',
} as const satisfies Record<AuthProvider, SignInChangeKind>

const providerOf = (id: string) => (id === 'credential' ? 'supabase' : id) as AuthProvider

export const lastMethod = () =>
  new AppError(409, 'last_way', 'This is your only sign-in method. Add another one before you remove it.')

/** The methods of a user whose row is locked: of two removed concurrently, one stays. */
export async function methodsOf(db: Transaction<Tables>, userId: string) {
  const accounts = await db
    .selectFrom('auth_accounts')
    .select(['id', 'provider_id'])
    .where('user_id', '=', userId)
    .execute()
  const passkeys = await db.selectFrom('auth_passkeys').select(['id', 'name']).where('user_id', '=', userId).execute()
  return { accounts, passkeys, isLast: accounts.length + passkeys.length <= 1 }
}

/** The row in the form in which an undo restores it. */
export async function rowOf(
  db: Transaction<Tables>,
  table: 'auth_accounts' | 'auth_passkeys' | 'auth_two_factors',
  id: string,
): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(table)} t where id = ${id}`.execute(db)
  return firstOf(rows).row
}
