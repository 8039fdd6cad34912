import { randomUUID } from 'node:crypto'
import { countTry, LIMITS } from '#server/accounts/limits.ts'
import { canGetMail, type NotifyDeps, readsIn } from '#server/accounts/users/notifications.ts'
import { findProfile } from '#server/accounts/users/queries.ts'
import { asPortal, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import { type ActionContext, claimsOf, type Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { writeAndRefresh } from '#server/http/writes.ts'
import type { ReadModel } from '#server/readmodel/model.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { AppError } from '#shared/errors.ts'
import { changeSetting, changeSettings, listSettings, resetSetting, sendTestMail } from '#shared/settings/endpoints.ts'
import type { SettingKey } from '#shared/settings/list.ts'
import { listSettingStates, resetToDefault, type SettingsInput, writeSettings } from './changes.ts'

export interface SettingDeps extends NotifyDeps {
  readModel: ReadModel
  /** Organisations behind the sources of advisories. */
  organizations: () => string[]
  /** Channels without a provider. */
  unsentChannels: MessageChannel[]
}

/** Settings administration (N-12). A change reaches every node's memory within a second, this one's at once. */
export function registerSettingsAdmin(router: Router, deps: SettingDeps) {
  router.handle(listSettings, async ({ db }) => ({
    settings: await listSettingStates(db),
    organizations: deps.organizations(),
    unsent_channels: deps.unsentChannels,
  }))

  router.act(changeSettings, (ctx, { body }) => change(ctx, body))

  router.act(changeSetting, async (ctx, { params, body }) => {
    try {
      return await change(ctx, { values: { [params.key]: body.value } })
    } catch (error) {
      // The form has a single field per setting, whatever its name.
      const fields = (error as AppError).fields
      if (!fields) throw error
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
        fields: { value: fields[params.key] ?? (error as AppError).message },
      })
    }
  })

  router.act(resetSetting, (ctx, { params }) => save(ctx, (db) => resetToDefault(db, ctx.user, params.key)))

  const change = (ctx: ActionContext<SignedIn>, input: { values: SettingsInput; was?: SettingsInput | undefined }) =>
    save(ctx, (db) => writeSettings(db, ctx.user, input, refuse))

  const save = async (ctx: ActionContext, write: (db: Db) => Promise<SettingKey[]>) => ({
    changed: await writeAndRefresh(ctx, deps.readModel, write),
  })

  function refuse(key: SettingKey, value: unknown): string | undefined {
    const named = key === 'advisories.ticker_source' ? [value] : key === 'advisories.approved_sources' ? value : []
    const unknown = (named as string[]).filter((name) => name !== '' && !deps.organizations().includes(name))
    return unknown.length > 0 ? 'Choose from the list' : undefined
  }

  router.act(sendTestMail, async ({ database, session, user: { id }, now }) => {
    const user = await withClaims(database, claimsOf(session), (db) => findProfile(db, id))
    if (!user || !canGetMail(user)) throw new AppError(409, 'no_address', 'Your account has no email address.')
    await countTry(database, LIMITS.mailAccount, user.email)
    await withClaims(database, claimsOf(session), (db) =>
      asPortal(db, () =>
        queueMessage(db, {
          key: `test-mail ${randomUUID()}`,
          channel: 'email',
          to: user.email,
          userId: user.id,
          template: 'test-mail',
          language: readsIn(user),
          values: { brand: deps.brand(), time: `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC` },
        }),
      ),
    )
    return { to: user.email }
  })
}
