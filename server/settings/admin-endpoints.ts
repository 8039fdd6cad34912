import { randomUUID } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import type { MessageChannel } from '#shared/notifications/kinds.ts'
import { changeSetting, changeSettings, listSettings, resetSetting, sendTestMail } from '#shared/settings/endpoints.ts'
import type { SettingKey } from '#shared/settings/list.ts'
import { countTry, LIMITS } from '../accounts/limits.ts'
import { findProfile } from '../accounts/users/queries.ts'
import { canGetMail, readsIn, type TellingParts } from '../accounts/users/telling.ts'
import { asPortal, withClaims } from '../db/claims.ts'
import type { Db } from '../db/connection.ts'
import { type ActAsked, claimsOf, type Door } from '../http/door.ts'
import { queueMessage } from '../messages/outgoing.ts'
import type { ReadModel } from '../readmodel/model.ts'
import { type Given, listSettingStates, resetToDefault, writeSettings } from './changing.ts'

export interface SettingParts extends TellingParts {
  readModel: ReadModel
  /** Organisations behind the sources of advisories. */
  organizations: () => string[]
  /** Ways of messages that have no provider. */
  unsentChannels: MessageChannel[]
}

/** Settings as administrators change them (N-12). A change is in every node's memory within a second, in this one at once. */
export function settingsAdmin(door: Door, parts: SettingParts) {
  door.handle(listSettings, async ({ db }) => ({
    settings: await listSettingStates(db),
    organizations: parts.organizations(),
    unsent_channels: parts.unsentChannels,
  }))

  door.act(changeSettings, (asked, { body }) => change(asked, body.values))

  door.act(changeSetting, async (asked, { params, body }) => {
    try {
      return await change(asked, { [params.key]: body.value })
    } catch (error) {
      // One setting has one field, whatever its name.
      const fields = (error as AppError).fields
      if (!fields) throw error
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
        fields: { value: fields[params.key]! },
      })
    }
  })

  door.act(resetSetting, (asked, { params }) =>
    written(asked, (db) => resetToDefault(db, asked.session.user!, params.key)),
  )

  const change = (asked: ActAsked, given: Given) =>
    written(asked, (db) => writeSettings(db, asked.session.user!, given, refuse))

  /** What is remembered follows what was committed before the answer goes out. */
  async function written(asked: ActAsked, write: (db: Db) => Promise<SettingKey[]>) {
    const changed = await withClaims(asked.database, claimsOf(asked.session), write)
    await parts.readModel.catchUp()
    return { changed }
  }

  function refuse(key: SettingKey, value: unknown): string | undefined {
    const named = key === 'advisories.ticker_source' ? [value] : key === 'advisories.approved_sources' ? value : []
    const unknown = (named as string[]).filter((name) => name !== '' && !parts.organizations().includes(name))
    return unknown.length > 0 ? 'Choose from the list' : undefined
  }

  door.act(sendTestMail, async ({ database, session, now }) => {
    const person = await withClaims(database, claimsOf(session), (db) => findProfile(db, session.user!.id))
    if (!person || !canGetMail(person)) throw new AppError(409, 'no_address', 'The portal knows no address of yours.')
    await countTry(database, LIMITS.mailAccount, person.email)
    await withClaims(database, claimsOf(session), (db) =>
      asPortal(db, () =>
        queueMessage(db, {
          key: `test-mail ${randomUUID()}`,
          channel: 'email',
          to: person.email,
          userId: person.id,
          template: 'test-mail',
          language: readsIn(person),
          values: { brand: parts.brand(), time: `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC` },
        }),
      ),
    )
    return { to: person.email }
  })
}
