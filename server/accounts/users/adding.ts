import type * as z from 'zod'
import type { createUser } from '#shared/accounts/users.ts'
import { AppError } from '#shared/errors.ts'
import { audit } from '../../audit/writing.ts'
import { asPortal } from '../../db/claims.ts'
import type { Database } from '../../db/connection.ts'
import type { SignedIn } from '../../http/session.ts'
import { createAccount } from '../creating.ts'
import { welcomePerson } from '../welcome.ts'
import { mailLink, recoveryLink } from './recovery.ts'
import type { RoleParts } from './role.ts'

type NewUser = z.output<(typeof createUser)['body']>

/**
 * Makes an account for somebody else. Account, audit line, welcome and the mail to choose a password are one commit of
 * the login role, which alone may write accounts: nobody is made without being told, and nothing goes unrecorded.
 */
export async function addAccount(database: Database, by: SignedIn, asked: NewUser, parts: RoleParts): Promise<string> {
  if (asked.country_code && !parts.countries().find(asked.country_code))
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: { country_code: 'Choose a country' },
    })
  const id = await createAccount(database, asked, async (db, { authUserId, profileId, email }) => {
    const person = {
      id: profileId,
      email,
      email_verified: true,
      auth_provider: 'supabase' as const,
      display_name: `${asked.first_name} ${asked.last_name}`,
      preferred_language: asked.preferred_language,
    }
    const link = await recoveryLink(db, authUserId, parts.publicUrl)
    await asPortal(db, async () => {
      await audit(db, by, {
        action: 'user.create',
        subject_type: 'user',
        subject_id: profileId,
        after: {
          email,
          role: asked.role,
          scope_countries: asked.scope_countries,
          scope_chapters: asked.scope_chapters,
          scope_everywhere: asked.scope_everywhere,
        },
        reason: asked.scope_reason,
      })
      await welcomePerson(db, { ...person, created_at: new Date() }, parts.brand())
      await mailLink(db, person, parts, { template: 'account-created', link, role: asked.role })
    })
  })
  if (!id)
    throw new AppError(409, 'email_taken', 'This address has an account already.', {
      fields: { email: 'This address has an account already.' },
    })
  return id
}
