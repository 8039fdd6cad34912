import type { Db } from '#server/db/connection.ts'
import { checkSetting, defaultOf } from '#server/settings/settings.ts'
import type { SettingKey } from '#shared/settings/list.ts'

/** Alarm settings of the administrators. */
export interface CaseLimits {
  digestMinutes: number
  burstCount: number
  burstMinutes: number
}

/** The current limits, in the transaction `db` of the service. */
export async function caseLimits(db: Db): Promise<CaseLimits> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).where('key', 'like', 'cases.%').execute()
  const number = (key: SettingKey & `cases.${string}`): number => {
    const checked = checkSetting(key, rows.find((row) => row.key === key)?.value)
    return checked.success ? (checked.data as number) : defaultOf(key)
  }
  return {
    digestMinutes: number('cases.digest_minutes'),
    burstCount: number('cases.burst_count'),
    burstMinutes: number('cases.burst_minutes'),
  }
}
