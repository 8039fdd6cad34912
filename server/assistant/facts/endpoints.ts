import type { Countries } from '#server/countries/reference.ts'
import type { Router } from '#server/http/router.ts'
import { confirmFact, deleteFact, listFacts, readFact, saveFact } from '#shared/assistant/facts.ts'
import type { Write } from '../writer.ts'
import { findFact, findFacts, managed, noSuchFact } from './queries.ts'
import { confirm, removeFact, writeFact } from './store.ts'

/** Fact administration. Changes reach every node within moments. */
export function registerFactsAdmin(router: Router, deps: { countries: () => Countries; write: Write }) {
  const { write } = deps

  router.handle(listFacts, ({ db, now }, { query }) => findFacts(db, query, { now, countries: deps.countries() }))

  router.handle(readFact, async ({ db, now }, { params }) => {
    const row = await findFact(db, params.id)
    if (!row) throw noSuchFact()
    return { fact: managed(row, now) }
  })

  router.act(saveFact, (ctx, { params, body }) =>
    write(ctx, async (db, by) => {
      const row = await writeFact(db, params.id, body, { by, now: ctx.now, countries: deps.countries() })
      return { fact: managed(row, ctx.now) }
    }),
  )

  router.act(confirmFact, (ctx, { params }) =>
    write(ctx, async (db, by) => ({
      fact: managed(await confirm(db, params.id, { by, now: ctx.now }), ctx.now),
    })),
  )

  router.act(deleteFact, (ctx, { params }) =>
    write(ctx, async (db, by) => {
      await removeFact(db, params.id, { by, now: ctx.now })
      return {}
    }),
  )
}
