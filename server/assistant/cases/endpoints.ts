import type { Countries } from '#server/countries/reference.ts'
import { asPortal, withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import { lastOf } from '#shared/assert.ts'
import { changeCase, listCases, openCase, readCase, splitEntry } from '#shared/assistant/cases.ts'
import { AppError } from '#shared/errors.ts'
import { phrase } from '../phrases/phrases.ts'
import { createBatches } from './batches.ts'
import { batchKeyOf, receiveCalls, visitorCase, writeCase } from './case-creation.ts'
import { listEntries, splitEntryOff } from './case-entries.ts'
import { isUrgent } from './helper-notification.ts'
import type { NewCase } from './new-case.ts'
import { changeCaseOf, findCase, findCases } from './queries.ts'

interface ReceivedCase {
  database: Database
  input: NewCase
  now: Date
}

/** Cases handed over from the assistant to coordinators. */
export function registerCases(router: Router, deps: { countries: () => Countries; canTranslate: () => boolean }) {
  // Many users may share an address, so no report of danger is rejected. Above these limits, reports rank lower and
  // share a case.
  const several = createRateLimit({ count: 3, seconds: 600 })
  const openings = createRateLimit({ count: 20, seconds: 600 })

  const write = async (inputs: readonly ReceivedCase[]) => {
    const { database, now } = lastOf(inputs)
    return withClaims(database, { as: 'anonymous' }, (db) =>
      asPortal(db, () =>
        receiveCalls(
          db,
          null,
          inputs.map(({ input }) => input),
          now,
        ),
      ),
    )
  }
  // Separate queues: reports with a number do not wait for anonymous ones, and members wait for neither.
  const reachable = createBatches({ atOnce: 4 }, write)
  const unknown = createBatches({ atOnce: 2 }, write)

  router.act(openCase, async ({ database, session, now }, { body }) => {
    const { user, address } = session
    const caller = user?.id ?? address
    if (!isUrgent(body)) openings.take(caller)
    if (body.country && !deps.countries().find(body.country))
      throw new AppError(422, 'invalid', 'Choose a country', { fields: { country: 'Choose a country' } })
    const reference = user
      ? await withClaims(database, claimsOf(session), (db) => writeCase(db, user, body, now))
      : await visitorReference()
    return { reference, content: phrase(body.language, `case_${body.kind}`, { reference }) }

    async function visitorReference(): Promise<string> {
      // Counted separately, so that reports with a number are not limited by those without one from the same address.
      const key = body.safe_phone ? `${caller} with a number` : caller
      const isExcess = isUrgent(body) && openings.secondsToWait(key) > 0
      const input = visitorCase(body, { isLow: several.secondsToWait(key) > 0, isExcess })
      const receive = input.safePhone && !input.isLow ? reachable : unknown
      return (await receive(batchKeyOf(input), { database, input, now })).reference
    }
  })

  router.handle(listCases, ({ db }, { query }) => findCases(db, query))
  router.handle(readCase, async ({ db }, { params, query }) => ({
    case: await findCase(db, params.id),
    ...(await listEntries(db, params.id, query.page)),
    can_translate: deps.canTranslate(),
  }))
  router.handle(splitEntry, async ({ db, user, now }, { params }) => ({
    case: await splitEntryOff(db, user, params, now),
  }))
  router.handle(changeCase, async ({ db, user, now }, { params, body }) => ({
    case: await changeCaseOf(db, { user: user, id: params.id, now }, body),
  }))
}
