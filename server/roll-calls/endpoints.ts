import { countTry, LIMITS } from '#server/accounts/limits.ts'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal, withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { AppError } from '#shared/errors.ts'
import { languageOf } from '#shared/language.ts'
import {
  type AnswerBody,
  answerByLink,
  answerOwnRollCall,
  closeHelp,
  closeRollCall,
  countConcerned,
  estimateRollCall,
  exportRollCall,
  getAnswer,
  getOwnRollCall,
  getRollCall,
  listCallable,
  listOwnRollCalls,
  listRollCalls,
  RECIPIENTS_PER_PAGE,
  remindRollCall,
  startRollCall,
  takeCare,
  writeAnswer,
} from '#shared/roll-calls/endpoints.ts'
import { type AnswerClaim, createAnswerLinks } from './answer-link.ts'
import { writeAnswerOf } from './answers.ts'
import { recipientsCsv } from './csv-export.ts'
import { acceptHelpRequest, closeHelpRequest, findRecipient } from './help-requests.ts'
import * as lifecycle from './lifecycle.ts'
import { findOwn, listOwn } from './own-roll-calls.ts'
import { allRecipients, countList, findCallable, findMine, listMine, listRecipients } from './queries.ts'

interface RollCallDeps {
  secret: string
  settings: SettingsModel
  publicUrl: string
  /** Channels without a provider. */
  unsentChannels: readonly MessageChannel[]
}

/** "Are you safe?": start a roll call, answer it, help, and list the recipients. */
export function rollCalls(router: Router, { secret, ...deps }: RollCallDeps) {
  managedRollCalls(router, deps)
  ownRollCalls(router)
  answersByLink(router, createAnswerLinks(secret))
}

/** As those who started them see them. */
function managedRollCalls(router: Router, { settings, publicUrl, unsentChannels }: Omit<RollCallDeps, 'secret'>) {
  router.handle(listRollCalls, ({ db }, { query }) => listMine(db, query.page))
  router.handle(listCallable, ({ db, user }) => findCallable(db, user))
  router.handle(countConcerned, ({ db }, { body }) => lifecycle.countRecipients(db, body))
  router.handle(estimateRollCall, ({ db, user }, { body }) =>
    lifecycle.estimateRollCall(db, user, body, {
      brand: settings.get('brand'),
      publicUrl,
      approvalAbove: settings.get('notifications.approval_above'),
      smsPrice: settings.get('notifications.sms_price'),
      zone: settings.get('time_zone'),
      unsent: unsentChannels,
    }),
  )
  router.handle(startRollCall, ({ db, user, now }, { body }) => lifecycle.start(db, user, body, now))

  router.handle(getRollCall, async ({ db }, { params: { id }, query }) => ({
    roll_call: await findMine(db, id),
    ...(await countList(db, id, query.group)),
    ...(await listRecipients(db, id, query)),
    page: query.page,
    per_page: RECIPIENTS_PER_PAGE,
  }))

  router.handle(exportRollCall, async ({ db, user }, { params: { id } }) => {
    const { title } = await findMine(db, id)
    const recipients = await allRecipients(db, id)
    await audit(db, user, {
      action: 'roll_call.export',
      subject_type: 'roll_call',
      subject_id: id,
      after: { people: recipients.length },
    })
    return recipientsCsv(title, recipients) as never
  })

  router.handle(remindRollCall, ({ db, user, now }, { params }) => lifecycle.remind(db, user, params.id, now))
  router.handle(closeRollCall, ({ db, user, now }, { params }) => lifecycle.close(db, user, params.id, now))

  router.handle(writeAnswer, async ({ db, user, now }, { params: { id, person }, body }) => {
    await findRecipient(db, id, person)
    const input = { ...body, via: 'coordinator', by: user } as const
    await asPortal(db, () => writeAnswerOf(db, { rollCall: id, user: person }, input, now))
    return { answered: true as const }
  })

  router.handle(takeCare, ({ db, user, now }, { params: { id, person } }) =>
    acceptHelpRequest(db, user, id, person, now),
  )
  router.handle(closeHelp, ({ db, user, now }, { params: { id, person }, body }) =>
    closeHelpRequest(db, user, id, person, body.note, now),
  )
}

/** As the person who is asked sees them. */
function ownRollCalls(router: Router) {
  router.act(listOwnRollCalls, async ({ database, user, now }) => ({
    roll_calls: await asService(database, (db) => listOwn(db, user.id, now)),
  }))
  router.act(getOwnRollCall, ({ database, user }, { params }) =>
    asService(database, (db) => findOwn(db, user.id, params.id)),
  )
  router.act(answerOwnRollCall, async ({ database, user, now }, { params, body }) => {
    const of = { rollCall: params.id, user: user.id }
    await answered(database, of, { ...body, via: 'portal' }, now)
    return asService(database, (db) => findOwn(db, of.user, of.rollCall))
  })
}

function answersByLink(router: Router, links: ReturnType<typeof createAnswerLinks>) {
  const readLink = (token: string, now: Date) => {
    const claim = links.read(token, now)
    if (claim === 'forged') throw new AppError(404, 'link_unknown', 'This link does not work.')
    if (claim === 'expired') throw new AppError(410, 'link_expired', 'This link has expired.')
    return claim
  }

  const byLink = ({ rollCall, user }: AnswerClaim, database: Database) =>
    asService(database, async (db) => {
      const roll_call = await findOwn(db, user, rollCall)
      const { preferred_language } = await db
        .selectFrom('user_profiles')
        .select('preferred_language')
        .where('id', '=', user)
        .executeTakeFirstOrThrow()
      return { language: languageOf(preferred_language) ?? ('en' as const), roll_call }
    })

  router.act(getAnswer, ({ database, now }, { params }) => byLink(readLink(params.token, now), database))
  router.act(answerByLink, async ({ database, now }, { params, body }) => {
    const claim = readLink(params.token, now)
    await answered(database, claim, { ...body, via: 'link' }, now)
    return byLink(claim, database)
  })
}

/** Recipients may have no database access: the handlers decide what they may read and write, by link or session. */
const asService = <T>(database: Database, fn: (db: Db) => Promise<T>) =>
  withClaims(database, { as: 'service', name: 'roll-calls' }, fn)

async function answered(
  database: Database,
  of: AnswerClaim,
  input: AnswerBody & { via: 'link' | 'portal' },
  now: Date,
): Promise<void> {
  await countTry(database, LIMITS.rollCallAnswer, `${of.rollCall} ${of.user}`)
  await asService(database, async (db) => {
    await findOwn(db, of.user, of.rollCall)
    await writeAnswerOf(db, of, input, now)
  })
}
