import { changeEmail, changePhone, confirmPhone } from '#shared/accounts/ways.ts'
import { AppError } from '#shared/errors.ts'
import { inBackground } from '../db/claims.ts'
import type { Door } from '../http/door.ts'
import { auditOwn } from './audit.ts'
import type { AccountMail, Auth } from './auth.ts'
import { beginEmailChange } from './email-change.ts'
import { countTry, LIMITS } from './limits.ts'
import { bare, expected } from './opened.ts'
import { requireFresh } from './own/freshness.ts'
import { phoneOf } from './phone.ts'

/** Another address or number to be reached and to sign in with; each counts once its owner has shown to have it. */
export function contactChanges(door: Door, parts: { auth: Auth; mail: AccountMail; hasPhone: boolean }) {
  const { api } = parts.auth

  door.act(changeEmail, async ({ database, session }, { body }) => {
    await countTry(database, LIMITS.mailAddress, session.address)
    await countTry(database, LIMITS.mailAccount, session.authUserId!)
    await countTry(database, LIMITS.mailAccount, body.email)
    await requireFresh(database, session, body.current_password)
    await beginEmailChange(database, parts.mail, session.authUserId!, body.email)
    return { message: 'We sent a link to the new address. It counts once you opened the link.' }
  })

  door.act(changePhone, async ({ database, session, headers }, { body }) => {
    if (!parts.hasPhone) throw new AppError(400, 'phone_unavailable', 'Codes by phone are not available here.')
    const phoneNumber = phoneOf(body.phone)
    await countTry(database, LIMITS.mailAddress, session.address)
    await countTry(database, LIMITS.mailAccount, session.authUserId!)
    await countTry(database, LIMITS.mailAccount, phoneNumber)
    await expected(api.sendPhoneNumberOTP({ body: { phoneNumber }, headers: bare(headers) }))
    return { message: 'We sent a code to the new number.' }
  })

  door.act(confirmPhone, async ({ database, session, headers }, { body }) => {
    const phoneNumber = phoneOf(body.phone)
    await countTry(database, LIMITS.codeAccount, phoneNumber)
    await expected(api.verifyPhoneNumber({ body: { phoneNumber, code: body.code, updatePhoneNumber: true }, headers }))
    await inBackground(database, 'accounts', (db) =>
      auditOwn(db, session, 'user.phone', { after: { phone: phoneNumber } }),
    )
    return { phone: phoneNumber }
  })
}
