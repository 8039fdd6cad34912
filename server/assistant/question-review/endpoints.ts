import { asPortal } from '#server/db/claims.ts'
import type { Router } from '#server/http/router.ts'
import { listNotedQuestions, reviewQuestion } from '#shared/assistant/questions.ts'
import { AppError } from '#shared/errors.ts'
import { answerStats, findNotedQuestions, reviewNotedQuestion, spentToday } from './queries.ts'

/** Questions whose answers need improvement, for administrators, without their authors. */
export function notedQuestions(router: Router) {
  router.handle(listNotedQuestions, async ({ db, now }, { query }) => ({
    ...(await findNotedQuestions(db, query)),
    figures: { ...(await answerStats(db, now)), ...(await asPortal(db, () => spentToday(db, now))) },
  }))

  router.handle(reviewQuestion, async ({ db, user, now }, { params }) => {
    if (!(await reviewNotedQuestion(db, params.id, { by: user, now })))
      throw new AppError(404, 'question_not_found', 'This question is not on the list.')
    return {}
  })
}
