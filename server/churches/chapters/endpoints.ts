import { historyOf } from '#server/audit/queries.ts'
import type { Door } from '#server/http/door.ts'
import { isAppError, isDatabaseAway } from '#server/http/failure.ts'
import * as contract from '#shared/churches/chapters.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin } from '#shared/roles.ts'
import { writer } from '../admin/writing.ts'
import type { ChurchParts } from '../area.ts'
import {
  countTravelers,
  createChapterByHand,
  deleteChapterByHand,
  noSuchChapter,
  updateChapterByHand,
} from './changing.ts'
import { countAll, countAround, findChapter, listChapterRows, listChoices } from './queries.ts'

/** Local chapters for administrators and, within their scope, for MFA coordinators. */
export function chapters(door: Door, parts: ChurchParts) {
  const write = writer(parts)

  door.handle(contract.listChapters, ({ db }, { query }) =>
    orSaying('Failed to fetch local chapters', () => listChapterRows(db, query, parts.countries())),
  )

  door.handle(contract.getChapter, ({ db, session }, { params: { id } }) =>
    orSaying('Failed to fetch local chapter', async () => {
      const chapter = await findChapter(db, id, parts.countries())
      const around = chapter ? await countAround(db, id) : { members: 0, locales: 0 }
      const history = chapter && isAdmin(session.user!.role) ? await historyOf(db, 'chapter', id) : []
      return { chapter, ...around, history }
    }),
  )

  door.act(contract.createChapter, (asked, { body }) =>
    orSaying('Failed to create local chapter', () =>
      write(asked, async (db, writing) => {
        const id = await createChapterByHand(db, body, writing)
        return { chapter: (await findChapter(db, id, writing.countries))! }
      }),
    ),
  )

  door.act(contract.updateChapter, (asked, { params: { id }, body }) =>
    orSaying('Failed to update local chapter', () =>
      write(asked, async (db, writing) => {
        await updateChapterByHand(db, id, body, writing)
        return { chapter: (await findChapter(db, id, writing.countries)) ?? (await gone()) }
      }),
    ),
  )

  door.act(contract.deleteChapter, (asked, { params: { id }, body }) =>
    orSaying('Failed to delete local chapter', () =>
      write(asked, async (db, writing) => {
        await deleteChapterByHand(db, id, body, writing)
        return { deleted: true as const }
      }),
    ),
  )

  door.handle(contract.changeTravelers, async ({ db, session, now }, { params: { id }, body }) => {
    const writing = { by: session.user!, now, countries: parts.countries() }
    return { active_travelers_count: await countTravelers(db, id, body.change, writing) }
  })

  door.handle(contract.countMfa, async ({ db }) => ({ stats: await countAll(db) }))
  door.handle(contract.listChapterChoices, ({ db }) => listChoices(db))
}

const gone = (): never => {
  throw noSuchChapter()
}

/** The specification's words for what cannot be done while the database is away; a bug stays a bug. */
async function orSaying<T>(text: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isAppError(error) || !isDatabaseAway(error)) throw error
    throw new AppError(503, 'unavailable', text, { cause: error, headers: { 'retry-after': '2' } })
  }
}
