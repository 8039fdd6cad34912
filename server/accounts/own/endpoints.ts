import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { audit } from '#server/audit/audit-log.ts'
import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import {
  changeOwnProfile,
  choosePhoto,
  confirmPassword,
  eraseAccount,
  exportOwnData,
  getFreshness,
  getOwnProfile,
} from '#shared/accounts/own.ts'
import { AppError } from '#shared/errors.ts'
import { countTry, LIMITS } from '../limits.ts'
import { clearedCookie } from '../session-cookie.ts'
import { ownData } from './data-export.ts'
import { type ErasureDeps, eraseAccountOf } from './erasure.ts'
import { confirm, findFreshness, requireFresh } from './freshness.ts'
import { choosePhotoOf } from './photo.ts'
import { changeProfile, findOwnProfile } from './profile.ts'

/** Reads, changes, exports and erases the caller's own account. */
export function registerOwnAccount(
  router: Router,
  deps: ErasureDeps & { countries: () => Countries; isSecure: boolean },
) {
  router.handle(getOwnProfile, ({ db, user }) => findOwnProfile(db, user.id))

  router.handle(changeOwnProfile, async ({ db, user, now }, { body }) => {
    const { emergency_contact: contact, ...rest } = body
    refuseUnknownCountries(deps.countries(), body)
    const change = contact ? { ...rest, emergency_contact: { ...contact, phone: contactPhone(contact.phone) } } : rest
    return changeProfile(db, user, change, now)
  })

  router.handle(choosePhoto, async ({ db, user, now }, { body }) => ({
    replaced_file_id: await choosePhotoOf(db, user, body.file_id, now),
  }))

  router.act(getFreshness, ({ database, session }) => findFreshness(database, session))

  router.act(confirmPassword, async ({ database, session }, { body }) => {
    await confirm(database, session, body.current_password)
    return { is_fresh: true as const }
  })

  router.act(exportOwnData, async (ctx) => {
    const { database, session, user, now } = ctx
    await requireFresh(database, session)
    await countTry(database, LIMITS.ownData, user.id)
    await withClaims(database, claimsOf(session), (db) =>
      audit(db, user, { action: 'account.export', subject_type: 'user', subject_id: user.id }),
    )
    const file = JSON.stringify(await ownData(ctx), null, 2)
    return new Response(file, {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="my-data-${now.toISOString().slice(0, 10)}.json"`,
        'cache-control': 'no-store',
      },
    }) as never
  })

  router.act(eraseAccount, async ({ database, session, user, now, setCookies }, { body }) => {
    const profile = await withClaims(database, claimsOf(session), (db) => findOwnProfile(db, user.id))
    if (body.email !== profile.email.toLowerCase())
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
        fields: { email: 'This is not the email address of your account' },
      })
    await requireFresh(database, session, body.current_password)
    await eraseAccountOf(database, user, deps, now)
    setCookies([clearedCookie(deps.isSecure)])
    return { message: 'Your account has been deleted.' }
  })
}

function refuseUnknownCountries(
  known: Countries,
  input: { country_code?: string | null | undefined; countries?: string[] | undefined },
) {
  const fields: Record<string, string> = {}
  if (input.country_code && !known.find(input.country_code)) fields.country_code = 'Choose a country'
  if (input.countries?.some((code) => !known.find(code))) fields.countries = 'Choose a country'
  if (input.countries && new Set(input.countries).size < input.countries.length)
    fields.countries = 'Choose each country only once'
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })
}

/** In E.164; a third person's number, so no code is sent to it. */
function contactPhone(input: string): string {
  if (input === '') return ''
  const parsed = parsePhoneNumberFromString(input)
  if (!parsed?.isValid())
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
      fields: { 'emergency_contact.phone': 'Invalid phone number format' },
    })
  return parsed.number
}
