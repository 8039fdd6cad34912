import type { Router } from '#server/http/router.ts'
import { authUserIdOf } from '#server/http/session.ts'
import { changeEmail, changePhone, confirmPhone, removePhone } from '#shared/accounts/sign-in-methods.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountMail, Auth } from './auth.ts'
import { beginEmailChange } from './email-change.ts'
import { countTry, LIMITS } from './limits.ts'
import { requireFresh } from './own/freshness.ts'
import { phoneOf } from './phone.ts'
import { changeSignIn, type Owner, type SignInChangeDeps } from './sign-in-changes.ts'
import type { Mails } from './sign-ins/mails.ts'
import { bare, expected, wrongCode } from './start-session.ts'
import { hashCode } from './token-hash.ts'

/**
 * Changes of the email address or phone number used for contact and sign-in; each takes effect once its owner has
 * confirmed it.
 */
export function registerContactChanges(
  router: Router,
  deps: SignInChangeDeps & { auth: Auth; mail: AccountMail; mails: Mails; secret: string },
) {
  emailChange(router, deps)
  phoneChanges(router, deps)
}

/** A new email address, confirmed by a link. */
function emailChange(
  router: Router,
  deps: SignInChangeDeps & { auth: Auth; mail: AccountMail; mails: Mails; secret: string },
) {
  router.act(changeEmail, async ({ database, session }, { body }) => {
    await countTry(database, LIMITS.mailAddress, session.address)
    await countTry(database, LIMITS.mailAccount, authUserIdOf(session))
    await requireFresh(database, session, body.current_password)
    // Beyond the limit per recipient, the link sent last still works.
    if (await deps.mails.claim('notice', `change ${body.email}`))
      await beginEmailChange(database, deps.mail, authUserIdOf(session), body.email, session.id)
    return { message: 'We have sent a link to your new address. Open it to confirm the change.' }
  })
}

/** A new phone number, confirmed by a code, or none any more. */
function phoneChanges(
  router: Router,
  deps: SignInChangeDeps & { auth: Auth; mail: AccountMail; mails: Mails; secret: string },
) {
  const { api } = deps.auth

  router.act(changePhone, async ({ database, session, headers }, { body }) => {
    if (!deps.hasPhone)
      throw new AppError(
        400,
        'phone_unavailable',
        'Text messages are not available right now. Use your email address instead.',
      )
    const phoneNumber = phoneOf(body.phone)
    await countTry(database, LIMITS.mailAddress, session.address)
    await countTry(database, LIMITS.mailAccount, authUserIdOf(session))
    await requireFresh(database, session, body.current_password)
    const claimed = await deps.mails.claim('phone', phoneNumber)
    if (claimed && claimed.live !== undefined) await deps.mail.again('phone', { email: phoneNumber }, claimed.live)
    else if (claimed) await expected(api.sendPhoneNumberOTP({ body: { phoneNumber }, headers: bare(headers) }))
    return { message: 'We have sent a code to your new number.' }
  })

  router.act(confirmPhone, async (ctx, { body }) => {
    const { database, session, headers } = ctx
    const phone_number = phoneOf(body.phone)
    // Counted for this account: guesses by another account do not count against the owner of the number.
    await countTry(database, LIMITS.codeAccount, `${session.authUserId} ${phone_number}`)
    await requireFresh(database, session, body.current_password)
    if ((await deps.mails.isCode('phone', phone_number, body.code)) === false) throw wrongCode()
    const code = hashCode(body.code, deps.secret)
    await expected(api.consumePhoneNumberOTP({ body: { phoneNumber: phone_number, code }, headers: bare(headers) }))
    await deps.mails.codeUsed('phone', phone_number)
    return changeSignIn(ctx, deps, async (db, owner) => {
      const other = await db
        .selectFrom('auth_users')
        .select('id')
        .where('phone_number', '=', phone_number)
        .where('id', '!=', owner.id)
        .executeTakeFirst()
      if (other) throw new AppError(409, 'phone_taken', 'Another account uses this phone number.')
      await db
        .updateTable('auth_users')
        .set({ phone_number, phone_number_verified: true, updated_at: new Date() })
        .where('id', '=', owner.id)
        .execute()
      const result = { phone: phone_number }
      // The same number again, because it was suppressed.
      if (owner.phone_number === phone_number && owner.phone_number_verified) return { result }
      const kind = owner.phone_number ? 'phone_changed' : 'phone_added'
      const audit = {
        action: 'user.phone' as const,
        before: { phone: owner.phone_number },
        after: { phone: phone_number },
      }
      return { change: { kind, former: phoneOfOwner(owner), audit }, result }
    })
  })

  router.act(removePhone, (ctx, { body }) =>
    changeSignIn(
      ctx,
      deps,
      async (db, owner) => {
        if (!owner.phone_number) throw new AppError(404, 'no_phone', 'Your account has no phone number.')
        await db
          .updateTable('auth_users')
          .set({ phone_number: null, phone_number_verified: false, updated_at: new Date() })
          .where('id', '=', owner.id)
          .execute()
        const audit = { action: 'user.phone' as const, before: { phone: owner.phone_number } }
        return { change: { kind: 'phone_removed', former: phoneOfOwner(owner), audit }, result: {} }
      },
      body.current_password,
    ),
  )
}

const phoneOfOwner = ({ phone_number, phone_number_verified, phone_since }: Owner) => ({
  phone_number,
  phone_number_verified,
  phone_since,
})
