import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import { AppError } from '#shared/errors.ts'
import { isWanted } from '#shared/notifications/preferences.ts'
import {
  getUnsubscribeState,
  resubscribe,
  type UnsubscribeState,
  unsubscribe,
} from '#shared/notifications/unsubscribe.ts'
import { createUnsubscribeLinks, type UnsubscribePayload } from './unsubscribe-link.ts'

type Scope = 'kind' | 'subscription'

/** UnsubscribePayload from mail by link, with or without signing in. */
export function unsubscribeEndpoints(router: Router, { secret }: { secret: string }) {
  const links = createUnsubscribeLinks(secret)
  const read = (token: string): UnsubscribePayload => {
    const payload = links.read(token)
    if (!payload)
      throw new AppError(
        404,
        'unknown_link',
        'This link is incomplete or not from us. Copy the whole link from the message.',
      )
    return payload
  }

  router.act(getUnsubscribeState, ({ database }, { params }) => {
    const payload = read(params.token)
    return inBackground(database, 'unsubscribe', (db) => findState(db, payload))
  })

  router.act(unsubscribe, ({ database }, { params, query }) => {
    const payload = read(params.token)
    return inBackground(database, 'unsubscribe', (db) => switchMail(db, payload, query.scope, false))
  })

  router.act(resubscribe, ({ database }, { params, query }) => {
    const payload = read(params.token)
    return inBackground(database, 'unsubscribe', (db) => switchMail(db, payload, query.scope, true))
  })
}

async function findState(db: Db, { userId, kind, subscriptionId }: UnsubscribePayload): Promise<UnsubscribeState> {
  const user = await db
    .selectFrom('user_profiles as p')
    .leftJoin('notification_preferences as f', 'f.user_id', 'p.id')
    .select('f.channels')
    .where('p.id', '=', userId)
    .where('p.profile_status', '<>', 'deleted')
    .executeTakeFirst()
  if (!user) throw new AppError(404, 'no_account', 'This account was deleted. We no longer send anything to it.')
  const subscription =
    subscriptionId === undefined
      ? undefined
      : await db
          .selectFrom('advisory_subscriptions')
          .select(['countries', 'channels', 'active'])
          .where('id', '=', subscriptionId)
          .where('user_id', '=', userId)
          .executeTakeFirst()
  return {
    kind,
    subscription: subscription
      ? {
          countries: subscription.countries,
          is_ended: !subscription.active || !subscription.channels.includes('email'),
        }
      : null,
    is_kind_ended: !isWanted(user.channels ?? {}, kind, 'email'),
  }
}

/** Without a scope: the subscription behind the mail if it still exists, else the kind of mail. */
async function switchMail(
  db: Db,
  payload: UnsubscribePayload,
  scope: Scope | undefined,
  isOn: boolean,
): Promise<UnsubscribeState> {
  const { subscription } = await findState(db, payload)
  const of: Scope = subscription ? (scope ?? 'subscription') : 'kind'
  if (of === 'subscription') await switchSubscription(db, payload.subscriptionId!, isOn)
  else await switchKind(db, payload, isOn)
  await audit(db, null, {
    action: isOn ? 'account.resubscribe' : 'account.unsubscribe',
    subject_type: 'user',
    subject_id: payload.userId,
    after: { kind: payload.kind, ...(of === 'subscription' ? { subscription_id: payload.subscriptionId } : {}) },
    reason: 'By the link in an email',
  })
  return findState(db, payload)
}

/** A subscription with mail alone is paused; with other channels it continues. */
async function switchSubscription(db: Db, id: string, isOn: boolean) {
  const withoutMail = sql<never>`array_remove(channels, 'email')`
  await db
    .updateTable('advisory_subscriptions')
    .set(
      isOn
        ? { active: true, channels: sql<never>`${withoutMail} || '{email}'::text[]` }
        : {
            active: sql<boolean>`active and channels <> '{email}'`,
            channels: sql<never>`case when channels = '{email}' then channels else ${withoutMail} end`,
          },
    )
    .set({ updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

async function switchKind(db: Db, { userId, kind }: UnsubscribePayload, isOn: boolean) {
  const choice = JSON.stringify({ [kind]: { email: isOn } })
  await sql`
    insert into notification_preferences as f (user_id, channels) values (${userId}, ${choice}::jsonb)
    on conflict (user_id) do update set updated_at = now(),
      channels = f.channels || jsonb_build_object(${kind}::text,
        coalesce(f.channels -> ${kind}, '{}') || (excluded.channels -> ${kind}))`.execute(db)
}
