import { changeCase, listCases, openCase, readCase } from '#shared/assistant/cases.ts'
import { AppError } from '#shared/errors.ts'
import type { Countries } from '../../countries/reference.ts'
import type { Door } from '../../http/door.ts'
import { createRateLimit } from '../../http/rate-limit.ts'
import { phrase } from '../phrases/phrases.ts'
import { writeCase } from './opening.ts'
import { changeCaseOf, findCase, findCases } from './queries.ts'

/** What is handed from the assistant to people. */
export function cases(door: Door, parts: { countries: () => Countries; canTranslate: () => boolean }) {
  // Generous: many share an address, and somebody in danger must not be turned away by others.
  const openings = createRateLimit({ count: 20, seconds: 600 })

  door.handle(openCase, async ({ db, session, now }, { body }) => {
    if (body.kind === 'danger' && !session.user) throw new AppError(401, 'sign_in', 'Please sign in to do this.')
    openings.take(session.user?.id ?? session.address)
    if (body.country && !parts.countries().find(body.country))
      throw new AppError(422, 'invalid', 'Choose a country', { fields: { country: 'Choose a country' } })
    const reference = await writeCase(db, { user: session.user, now }, body)
    return { reference, content: phrase(body.language, `case_${body.kind}`, { reference }) }
  })

  door.handle(listCases, ({ db }, { query }) => findCases(db, query))
  door.handle(readCase, async ({ db }, { params }) => ({
    case: await findCase(db, params.id),
    can_translate: parts.canTranslate(),
  }))
  door.handle(changeCase, async ({ db, session, now }, { params, body }) => ({
    case: await changeCaseOf(db, { user: session.user!, id: params.id, now }, body),
  }))
}
