import { historyOf } from '#server/audit/queries.ts'
import { isDatabaseAway } from '#server/db/availability.ts'
import { isAppError } from '#server/http/failure.ts'
import type { Router } from '#server/http/router.ts'
import { present } from '#shared/assert.ts'
import * as contract from '#shared/churches/chapters.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin } from '#shared/roles.ts'
import { createWriter } from '../admin/write-context.ts'
import type { ChurchDeps } from '../deps.ts'
import { countTravelers, createChapter, deleteChapter, noSuchChapter, updateChapter } from './changes.ts'
import { countAll, countAround, findChapter, listChapterRows, listChoices } from './queries.ts'

/** Local chapters for administrators and, within their scope, for MFA coordinators. */
export function registerChapters(router: Router, deps: ChurchDeps) {
  const write = createWriter(deps)

  router.handle(contract.listChapters, ({ db }, { query }) =>
    orUnavailable('Failed to fetch local chapters', () => listChapterRows(db, query, deps.countries())),
  )

  router.handle(contract.getChapter, ({ db, user }, { params: { id } }) =>
    orUnavailable('Failed to fetch local chapter', async () => {
      const chapter = await findChapter(db, id, deps.countries())
      const around = chapter ? await countAround(db, id) : { members: 0, locales: 0 }
      const history = chapter && isAdmin(user.role) ? await historyOf(db, 'chapter', id) : []
      return { chapter, ...around, history }
    }),
  )

  router.act(contract.createChapter, (ctx, { body }) =>
    orUnavailable('Failed to create local chapter', () =>
      write(ctx, async (db, writing) => {
        const id = await createChapter(db, body, writing)
        return { chapter: present(await findChapter(db, id, writing.countries), 'the new chapter') }
      }),
    ),
  )

  router.act(contract.updateChapter, (ctx, { params: { id }, body }) =>
    orUnavailable('Failed to update local chapter', () =>
      write(ctx, async (db, writing) => {
        await updateChapter(db, id, body, writing)
        return { chapter: (await findChapter(db, id, writing.countries)) ?? (await gone()) }
      }),
    ),
  )

  router.act(contract.deleteChapter, (ctx, { params: { id }, body }) =>
    orUnavailable('Failed to delete local chapter', () =>
      write(ctx, async (db, writing) => {
        await deleteChapter(db, id, body, writing)
        return { deleted: true as const }
      }),
    ),
  )

  router.handle(contract.changeTravelers, async ({ db, user, now }, { params: { id }, body }) => {
    const writing = { by: user, now, countries: deps.countries() }
    return { active_travelers_count: await countTravelers(db, id, body.change, writing) }
  })

  router.handle(contract.countMfa, async ({ db }) => ({ stats: await countAll(db) }))
  router.handle(contract.listChapterChoices, ({ db }) => listChoices(db))
}

const gone = (): never => {
  throw noSuchChapter()
}

/** The specification's error text for a failing database; a bug stays a bug. */
async function orUnavailable<T>(text: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isAppError(error) || !isDatabaseAway(error)) throw error
    throw new AppError(503, 'unavailable', text, { cause: error, headers: { 'retry-after': '2' } })
  }
}
