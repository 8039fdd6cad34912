import { clearSlowDown, listFailedSignIns, sendSignInLink } from '#shared/accounts/sign-ins.ts'
import { AppError } from '#shared/errors.ts'
import { audit } from '../../audit/writing.ts'
import { withClaims } from '../../db/claims.ts'
import { type ActAsked, claimsOf, type Door } from '../../http/door.ts'
import type { Auth } from '../auth.ts'
import { countTry, LIMITS } from '../limits.ts'
import { expected } from '../opened.ts'
import { holdProfile } from '../users/changing.ts'
import { canGetMail } from '../users/telling.ts'
import { failedSignInsOf } from './queries.ts'
import type { SignIns } from './sign-ins.ts'

/** What administrators see of failed sign-ins, and what they can do for the people concerned. */
export function signInReport(door: Door, { auth, signIns }: { auth: Auth; signIns: SignIns }) {
  door.handle(listFailedSignIns, ({ db }, { query }) => failedSignInsOf(db, query.days))

  door.act(sendSignInLink, async (asked, { params }) => {
    const person = await findPerson(asked, params.id)
    if (!canGetMail(person) || !person.auth_user_id)
      throw new AppError(
        409,
        'no_address',
        'The portal knows no address of this person. They sign in with the member hub.',
      )
    if (person.profile_status === 'suspended')
      throw new AppError(409, 'suspended', 'This account is suspended. Reactivate it first.')
    await countTry(asked.database, LIMITS.mailAccount, person.email)
    await expected(auth.api.signInMagicLink({ body: { email: person.email }, headers: new Headers() }))
    await note(asked, params.id, 'user.sign_in_link')
    return {}
  })

  door.act(clearSlowDown, async (asked, { params }) => {
    const person = await findPerson(asked, params.id)
    if (person.auth_user_id) await signIns.attempts.clear(person.auth_user_id)
    await note(asked, params.id, 'user.slow_down_cleared')
    return {}
  })
}

const findPerson = ({ database, session }: ActAsked, id: string) =>
  withClaims(database, claimsOf(session), (db) => holdProfile(db, id))

const note = ({ database, session }: ActAsked, id: string, action: string) =>
  withClaims(database, claimsOf(session), (db) =>
    audit(db, session.user, { action, subject_type: 'user', subject_id: id }),
  )
