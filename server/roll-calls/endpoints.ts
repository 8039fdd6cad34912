import { AppError } from '#shared/errors.ts'
import { languageOf } from '#shared/language.ts'
import {
  answerByLink,
  answerOwnRollCall,
  closeHelp,
  closeRollCall,
  countConcerned,
  exportRollCall,
  type GivenAnswer,
  getAnswer,
  getOwnRollCall,
  getRollCall,
  getRollCallBoard,
  listCallable,
  listOwnRollCalls,
  listRollCalls,
  PEOPLE_PER_PAGE,
  remindRollCall,
  startRollCall,
  takeCare,
  writeAnswer,
} from '#shared/roll-calls/endpoints.ts'
import { countTry, LIMITS } from '../accounts/limits.ts'
import { audit } from '../audit/writing.ts'
import { asPortal, withClaims } from '../db/claims.ts'
import type { Database, Db } from '../db/connection.ts'
import type { Door } from '../http/door.ts'
import { writeAnswerOf } from './answering.ts'
import { type AnswerClaim, createAnswerLinks } from './answerLink.ts'
import { peopleTable } from './exporting.ts'
import { closeHelpFor, personIn, takeCareOf } from './helping.ts'
import { findOwn, listOwn } from './own.ts'
import { allPeople, countList, findBoard, findCallable, findMine, listMine, listPeople } from './queries.ts'
import { close, countPeople, remind, start } from './starting.ts'

/** "Are you safe?": asking, answering, helping, and the list of those who look after people. */
export function rollCalls(door: Door, { secret }: { secret: string }) {
  const links = createAnswerLinks(secret)

  door.handle(listRollCalls, ({ db }, { query }) => listMine(db, query.page))
  door.handle(listCallable, ({ db, session }) => findCallable(db, session.user!))
  door.handle(getRollCallBoard, ({ db }) => findBoard(db))
  door.handle(countConcerned, ({ db }, { body }) => countPeople(db, body))
  door.handle(startRollCall, ({ db, session, now }, { body }) => start(db, session.user!, body, now))

  door.handle(getRollCall, async ({ db }, { params: { id }, query }) => ({
    roll_call: await findMine(db, id),
    ...(await countList(db, id, query.group)),
    ...(await listPeople(db, id, query)),
    page: query.page,
    per_page: PEOPLE_PER_PAGE,
  }))

  door.handle(exportRollCall, async ({ db, session }, { params: { id } }) => {
    const { title } = await findMine(db, id)
    const people = await allPeople(db, id)
    await audit(db, session.user!, {
      action: 'roll_call.export',
      subject_type: 'roll_call',
      subject_id: id,
      after: { people: people.length },
    })
    return peopleTable(title, people) as never
  })

  door.handle(remindRollCall, ({ db, session, now }, { params }) => remind(db, session.user!, params.id, now))
  door.handle(closeRollCall, ({ db, session, now }, { params }) => close(db, session.user!, params.id, now))

  door.handle(writeAnswer, async ({ db, session, now }, { params: { id, person }, body }) => {
    await personIn(db, id, person)
    const given = { ...body, via: 'coordinator', by: session.user! } as const
    await asPortal(db, () => writeAnswerOf(db, { rollCall: id, user: person }, given, now))
    return { answered: true as const }
  })

  door.handle(takeCare, ({ db, session, now }, { params: { id, person } }) =>
    takeCareOf(db, session.user!, id, person, now),
  )
  door.handle(closeHelp, ({ db, session, now }, { params: { id, person }, body }) =>
    closeHelpFor(db, session.user!, id, person, body.note, now),
  )

  door.act(listOwnRollCalls, async ({ database, session, now }) => ({
    roll_calls: await asPerson(database, (db) => listOwn(db, session.user!.id, now)),
  }))
  door.act(getOwnRollCall, ({ database, session }, { params }) =>
    asPerson(database, (db) => findOwn(db, session.user!.id, params.id)),
  )
  door.act(answerOwnRollCall, async ({ database, session, now }, { params, body }) => {
    const of = { rollCall: params.id, user: session.user!.id }
    await answered(database, of, { ...body, via: 'portal' }, now)
    return asPerson(database, (db) => findOwn(db, of.user, of.rollCall))
  })

  const askedByLink = (token: string, now: Date) => {
    const claim = links.read(token, now)
    if (claim === 'forged') throw new AppError(404, 'link_unknown', 'This link does not work.')
    if (claim === 'expired') throw new AppError(410, 'link_expired', 'The time of this link is over.')
    return claim
  }

  const byLink = ({ rollCall, user }: AnswerClaim, database: Database) =>
    asPerson(database, async (db) => {
      const roll_call = await findOwn(db, user, rollCall)
      const { preferred_language } = await db
        .selectFrom('user_profiles')
        .select('preferred_language')
        .where('id', '=', user)
        .executeTakeFirstOrThrow()
      return { language: languageOf(preferred_language) ?? ('en' as const), roll_call }
    })

  door.act(getAnswer, ({ database, now }, { params }) => byLink(askedByLink(params.token, now), database))
  door.act(answerByLink, async ({ database, now }, { params, body }) => {
    const claim = askedByLink(params.token, now)
    await answered(database, claim, { ...body, via: 'link' }, now)
    return byLink(claim, database)
  })
}

/** Whoever is asked may be nobody to the tables: what she may read and write is decided here, by link or session. */
const asPerson = <T>(database: Database, fn: (db: Db) => Promise<T>) =>
  withClaims(database, { as: 'service', name: 'roll-calls' }, fn)

async function answered(
  database: Database,
  of: AnswerClaim,
  given: GivenAnswer & { via: 'link' | 'portal' },
  now: Date,
): Promise<void> {
  await countTry(database, LIMITS.rollCallAnswer, `${of.rollCall} ${of.user}`)
  await asPerson(database, async (db) => {
    await findOwn(db, of.user, of.rollCall)
    await writeAnswerOf(db, of, given, now)
  })
}
