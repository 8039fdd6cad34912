import { asPortal } from '#server/db/claims.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import type { Router } from '#server/http/router.ts'
import { rateAnswer } from '#shared/assistant/conversations.ts'
import { AppError } from '#shared/errors.ts'
import { scrubbed } from './questions.ts'

/** Only recent answers can be rated. */
const RATED_WITHIN_HOURS = 24

/** Ratings of answers. The question is stored only if the user submits it, without numbers and addresses. */
export function registerRatings(router: Router) {
  const limit = createRateLimit({ count: 30, seconds: 60 })

  router.handle(rateAnswer, async ({ db, session, now }, { body }) => {
    limit.take(session.user?.id ?? session.address)
    const { question_id, rating, comment, question } = body
    const { numUpdatedRows } = await asPortal(db, () =>
      db
        .updateTable('assistant_questions')
        .set({
          rating,
          rated_at: now,
          comment: comment ? scrubbed(comment) : null,
          ...(question ? { question: scrubbed(question) } : {}),
          // Puts the question up for review again.
          reviewed_at: null,
          reviewed_by: null,
        })
        .where('id', '=', question_id)
        .where('asked_at', '>', new Date(now.valueOf() - RATED_WITHIN_HOURS * 3_600_000))
        .executeTakeFirst(),
    )
    if (numUpdatedRows === 0n)
      throw new AppError(404, 'answer_not_found', 'Answer not found, or it is too old to rate.')
    return {}
  })
}
