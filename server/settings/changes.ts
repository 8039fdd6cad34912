import { isDeepStrictEqual } from 'node:util'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { releaseAllDeferred } from '#server/delivery/deferral.ts'
import type { SignedIn } from '#server/http/session.ts'
import { firstOf } from '#shared/assert.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { AppError } from '#shared/errors.ts'
import type { SettingState } from '#shared/settings/endpoints.ts'
import { SETTING_KEYS, type SettingKey } from '#shared/settings/list.ts'
import { checkSetting, defaultOf, writeSetting } from './settings.ts'

export async function listSettingStates(db: Db): Promise<SettingState[]> {
  const rows = await db
    .selectFrom('settings as s')
    .leftJoin('user_profiles as p', 'p.id', 's.updated_by')
    .select(['s.key', 's.value', 's.updated_at', 'p.display_name as updated_by'])
    .execute()
  return SETTING_KEYS.map((key) => {
    const row = rows.find((r) => r.key === key)
    const parsed = row && checkSetting(key, row.value)
    const value = parsed?.success ? parsed.data : defaultOf(key)
    return {
      key,
      value,
      default: defaultOf(key),
      is_default: isDeepStrictEqual(value, defaultOf(key)),
      updated_at: row?.updated_at.toISOString() ?? null,
      updated_by: row?.updated_by ?? null,
    }
  })
}

/** Messages deferred by these hours are released when they change. */
const HOURS: ReadonlySet<SettingKey> = new Set([
  'time_zone',
  'notifications.sms_from',
  'notifications.sms_until',
  'notifications.urgent_sms_at_any_hour',
])

export type SettingsInput = Partial<Record<SettingKey, unknown>>

/**
 * Writes settings, all or none, each with an audit entry. `refuse` performs checks beyond the type. Returns the keys
 * that changed.
 */
export async function writeSettings(
  db: Db,
  by: SignedIn,
  input: SettingsInput,
  refuse: (key: SettingKey, value: unknown) => string | undefined,
): Promise<SettingKey[]> {
  const values = checked(input, refuse)
  const states = await listSettingStates(db)
  const changed = states.filter(({ key, value }) => key in values && !isDeepStrictEqual(values[key], value))
  for (const { key, value } of changed) {
    await writeSetting(db, key, values[key] as never, by.id)
    await auditChange(db, by, 'setting.change', key, value, values[key])
  }
  const keys = changed.map(({ key }) => key)
  if (keys.some((key) => HOURS.has(key))) await releaseAllDeferred(db)
  return keys
}

/** Deletes a stored value, so that the default applies. */
export async function resetToDefault(db: Db, by: SignedIn, key: SettingKey): Promise<SettingKey[]> {
  const removed = await db.deleteFrom('settings').where('key', '=', key).returning('value').executeTakeFirst()
  if (!removed) return []
  if (HOURS.has(key)) await releaseAllDeferred(db)
  await auditChange(db, by, 'setting.reset', key, removed.value, defaultOf(key))
  return [key]
}

function auditChange(db: Db, by: SignedIn, action: AuditAction, key: SettingKey, before: unknown, after: unknown) {
  return audit(db, by, {
    action,
    subject_type: 'setting',
    subject_id: key,
    before: { value: before },
    after: { value: after },
  })
}

function checked(input: SettingsInput, refuse: (key: SettingKey, value: unknown) => string | undefined): SettingsInput {
  const values: SettingsInput = {}
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(input)) {
    const key = name as SettingKey
    const parsed = checkSetting(key, value)
    const message = parsed.success ? refuse(key, parsed.data) : firstOf(parsed.error.issues).message
    if (message) fields[key] = message
    else values[key] = parsed.data
  }
  if (Object.keys(fields).length > 0)
    throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })
  return values
}
