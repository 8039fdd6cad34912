import { changeEmail, changePhone, confirmPhone } from '#shared/accounts/ways.ts'
import { AppError } from '#shared/errors.ts'
import { inBackground } from '../db/claims.ts'
import type { Database } from '../db/connection.ts'
import type { Door } from '../http/door.ts'
import type { Session } from '../http/session.ts'
import { auditOwn } from './audit.ts'
import type { AccountMail, Auth } from './auth.ts'
import { beginEmailChange } from './email-change.ts'
import { countTry, LIMITS } from './limits.ts'
import { bare, expected, wrongCode } from './opened.ts'
import { requireFresh } from './own/freshness.ts'
import { phoneOf } from './phone.ts'
import type { Mails } from './sign-ins/mails.ts'

/** Another address or number to be reached and to sign in with; each counts once its owner has shown to have it. */
export function contactChanges(door: Door, parts: { auth: Auth; mail: AccountMail; mails: Mails; hasPhone: boolean }) {
  const { api } = parts.auth

  door.act(changeEmail, async ({ database, session }, { body }) => {
    await countTry(database, LIMITS.mailAddress, session.address)
    await countTry(database, LIMITS.mailAccount, session.authUserId!)
    await requireFresh(database, session, body.current_password)
    // Past what one recipient gets, the link that was sent last still counts.
    if (await parts.mails.claim('notice', `change ${body.email}`))
      await beginEmailChange(database, parts.mail, session.authUserId!, body.email)
    return { message: 'We sent a link to the new address. It counts once you opened the link.' }
  })

  door.act(changePhone, async ({ database, session, headers }, { body }) => {
    if (!parts.hasPhone)
      throw new AppError(
        400,
        'phone_unavailable',
        'The portal sends no text messages at present. Please use your email address.',
      )
    const phoneNumber = phoneOf(body.phone)
    await countTry(database, LIMITS.mailAddress, session.address)
    await countTry(database, LIMITS.mailAccount, session.authUserId!)
    const claimed = await parts.mails.claim('phone', phoneNumber)
    if (claimed && claimed.live !== undefined) await parts.mail.again('phone', { email: phoneNumber }, claimed.live)
    else if (claimed) await expected(api.sendPhoneNumberOTP({ body: { phoneNumber }, headers: bare(headers) }))
    return { message: 'We sent a code to the new number.' }
  })

  door.act(confirmPhone, async ({ database, session, headers }, { body }) => {
    const phoneNumber = phoneOf(body.phone)
    // Of this account: what another one guesses does not count against the owner of the number.
    await countTry(database, LIMITS.codeAccount, `${session.authUserId} ${phoneNumber}`)
    if ((await parts.mails.isCode('phone', phoneNumber, body.code)) === false) throw wrongCode()
    const given = { phoneNumber, code: body.code }
    // A number that was stopped is confirmed once more by its owner; to the library it would be taken.
    const how = (await isOwnNumber(database, session, phoneNumber))
      ? { ...given, disableSession: true }
      : { ...given, updatePhoneNumber: true }
    await expected(api.verifyPhoneNumber({ body: how, headers }))
    await parts.mails.codeUsed('phone', phoneNumber)
    await inBackground(database, 'accounts', (db) =>
      auditOwn(db, session, 'user.phone', { after: { phone: phoneNumber } }),
    )
    return { phone: phoneNumber }
  })
}

async function isOwnNumber(database: Database, { authUserId }: Session, phoneNumber: string): Promise<boolean> {
  const own = await database.requests.kysely
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', authUserId!)
    .where('phone_number', '=', phoneNumber)
    .executeTakeFirst()
  return own !== undefined
}
