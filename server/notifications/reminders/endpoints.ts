import type { Router } from '#server/http/router.ts'
import { changeReminderRule, listReminderRules } from '#shared/notifications/reminders.ts'
import { changeRule, listRules } from './rules.ts'

/** Reminder rules, for administrators (D-18). */
export function reminderEndpoints(router: Router) {
  router.handle(listReminderRules, async ({ db }) => ({ rules: await listRules(db) }))
  router.handle(changeReminderRule, async ({ db, user, now }, { params, body }) => ({
    rule: await changeRule(db, params.id, body, user, now),
  }))
}
