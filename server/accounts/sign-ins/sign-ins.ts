import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { createAlarm } from './alarm.ts'
import { Attempts, type Pause } from './attempts.ts'
import { Callers } from './callers.ts'
import { createFailures } from './failures.ts'

/** Shared by every sign-in method: known callers, limits on attempts, and failures. */
export interface SignIns {
  callers: Callers
  attempts: Attempts
}

export function createSignIns(deps: {
  database: Database
  secret: string
  isSecure: boolean
  settings: SettingsModel
  publicUrl: string
  log: Log
  pause?: Pause
}): SignIns {
  const callers = new Callers(deps)
  const failures = createFailures({ ...deps, onFailure: createAlarm(deps) })
  return { callers, attempts: new Attempts({ ...deps, callers, failures }) }
}
