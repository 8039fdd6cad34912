import { confirmFact, deleteFact, listFacts, readFact, saveFact } from '#shared/assistant/facts.ts'
import type { Countries } from '../../countries/reference.ts'
import type { Door } from '../../http/door.ts'
import type { Write } from '../writing.ts'
import { findFact, findFacts, managed, noSuchFact } from './queries.ts'
import { confirm, removeFact, writeFact } from './saving.ts'

/** The facts as administrators keep them. Every node says what was changed a moment later. */
export function factsAdmin(door: Door, parts: { countries: () => Countries; write: Write }) {
  const { write } = parts

  door.handle(listFacts, ({ db, now }, { query }) => findFacts(db, query, { now, countries: parts.countries() }))

  door.handle(readFact, async ({ db, now }, { params }) => {
    const row = await findFact(db, params.id)
    if (!row) throw noSuchFact()
    return { fact: managed(row, now) }
  })

  door.act(saveFact, (asked, { params, body }) =>
    write(asked, async (db, by) => {
      const row = await writeFact(db, params.id, body, { by, now: asked.now, countries: parts.countries() })
      return { fact: managed(row, asked.now) }
    }),
  )

  door.act(confirmFact, (asked, { params }) =>
    write(asked, async (db, by) => ({
      fact: managed(await confirm(db, params.id, { by, now: asked.now }), asked.now),
    })),
  )

  door.act(deleteFact, (asked, { params }) =>
    write(asked, async (db, by) => {
      await removeFact(db, params.id, { by, now: asked.now })
      return {}
    }),
  )
}
