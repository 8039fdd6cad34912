import type * as z from 'zod'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { createUser } from '#shared/accounts/user-changes.ts'
import { AppError } from '#shared/errors.ts'
import { createAccount } from '../create-account.ts'
import { welcomeUser } from '../welcome.ts'
import { mailLink, recoveryLink } from './recovery.ts'
import type { RoleDeps } from './role.ts'

type NewUser = z.output<(typeof createUser)['body']>

/**
 * Creates an account for another user. Account, audit entry, welcome and password mail are one commit of the login
 * role, which alone may write accounts: no account without a notification or an audit entry.
 */
export async function addAccount(database: Database, by: SignedIn, input: NewUser, deps: RoleDeps): Promise<string> {
  if (input.country_code && !deps.countries().find(input.country_code))
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: { country_code: 'Choose a country' },
    })
  const id = await createAccount(database, input, async (db, { authUserId, profileId, email }) => {
    const user = {
      id: profileId,
      email,
      email_verified: true,
      auth_provider: 'supabase' as const,
      display_name: `${input.first_name} ${input.last_name}`,
      preferred_language: input.preferred_language,
    }
    const link = await recoveryLink(db, authUserId, deps.publicUrl)
    await asPortal(db, async () => {
      await audit(db, by, {
        action: 'user.create',
        subject_type: 'user',
        subject_id: profileId,
        after: {
          email,
          role: input.role,
          scope_countries: input.scope_countries,
          scope_chapters: input.scope_chapters,
          scope_everywhere: input.scope_everywhere,
        },
        reason: input.scope_reason,
      })
      await welcomeUser(db, { ...user, created_at: new Date() }, deps.brand())
      await mailLink(db, user, deps, { template: 'account-created', link, role: input.role })
    })
  })
  if (!id)
    throw new AppError(409, 'email_taken', 'This email address already has an account.', {
      fields: { email: 'This email address already has an account.' },
    })
  return id
}
