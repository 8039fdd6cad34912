import { asPortal } from '#server/db/claims.ts'
import type { Router } from '#server/http/router.ts'
import { listQuestions, reviewQuestion } from '#shared/assistant/questions.ts'
import { AppError } from '#shared/errors.ts'
import { answerStats, findQuestions, markReviewed, spentToday } from './queries.ts'

/** Questions whose answers need improvement, for administrators, without their authors. */
export function registerQuestionReview(router: Router) {
  router.handle(listQuestions, async ({ db, now }, { query }) => ({
    ...(await findQuestions(db, query)),
    figures: { ...(await answerStats(db, now)), ...(await asPortal(db, () => spentToday(db, now))) },
  }))

  router.handle(reviewQuestion, async ({ db, user, now }, { params }) => {
    if (!(await markReviewed(db, params.id, { by: user, now })))
      throw new AppError(404, 'question_not_found', 'Question not found.')
    return {}
  })
}
