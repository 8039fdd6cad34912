import type { Countries } from '#server/countries/reference.ts'
import type { Router } from '#server/http/router.ts'
import { AppError } from '#shared/errors.ts'
import {
  listSubscriptions,
  MAX_SUBSCRIPTIONS,
  subscribe,
  unsubscribe,
  updateSubscription,
} from '#shared/notifications/subscriptions.ts'
import { changeSubscription, deleteSubscription, findReach, findSubscriptions, insertSubscription } from './queries.ts'

/** The user's own subscriptions to advisories (N-17). */
export function subscriptions(router: Router, deps: { countries: () => Countries }) {
  router.handle(listSubscriptions, async ({ db, user }) => ({
    subscriptions: await findSubscriptions(db, user.id),
    most: MAX_SUBSCRIPTIONS,
    ...(await findReach(db, user.id)),
  }))

  router.handle(subscribe, async ({ db, user }, { body }) => ({
    subscription: await insertSubscription(db, user.id, body, deps.countries()),
  }))

  router.handle(updateSubscription, async ({ db, user, now }, { params, body }) => ({
    subscription: await changeSubscription(db, { userId: user.id, id: params.id, now }, body, deps.countries()),
  }))

  router.handle(unsubscribe, async ({ db, user }, { params, query }) => {
    const { id } = user
    if (query.user_id && query.user_id !== id)
      throw new AppError(403, 'forbidden', 'A subscription is removed by the person it belongs to.')
    await deleteSubscription(db, id, params.id)
    return { deleted: true as const }
  })
}
