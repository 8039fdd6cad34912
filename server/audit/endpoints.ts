import { csvResponse } from '#server/http/csv.ts'
import type { Router } from '#server/http/router.ts'
import { lastOf } from '#shared/assert.ts'
import { readAuditLog } from '#shared/audit/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { listAuditEntries, listAuditedKinds } from './queries.ts'

const MAX_SAVED = 10_000

interface AuditDeps {
  /** The portal's time zone, for administrators without one of their own. */
  zone: () => string
}

/** Reading the audit log. There is no endpoint to change it. */
export function registerAudit(router: Router, deps: AuditDeps) {
  router.handle(readAuditLog, async ({ db, user }, { query }) => {
    const zone = user.timeZone ?? deps.zone()
    if (query.since && query.until && query.until < query.since)
      throw new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
        fields: { until: 'End must be after start' },
      })
    if (query.format === 'csv') return saved(await listAuditEntries(db, query, zone, MAX_SAVED)) as never
    const entries = await listAuditEntries(db, query, zone, query.per_page + 1)
    const page = entries.slice(0, query.per_page)
    return {
      entries: page,
      next: entries.length > query.per_page ? lastOf(page).id : null,
      ...(await listAuditedKinds(db)),
    }
  })
}

function saved(entries: Awaited<ReturnType<typeof listAuditEntries>>): Response {
  return csvResponse(
    'audit-log',
    [
      { label: 'id', value: (e) => e.id },
      { label: 'at', value: (e) => e.at },
      { label: 'actor_id', value: (e) => e.actor_id },
      { label: 'actor_name', value: (e) => e.actor_name },
      { label: 'actor_role', value: (e) => e.actor_role },
      { label: 'action', value: (e) => e.action },
      { label: 'subject_type', value: (e) => e.subject_type },
      { label: 'subject_id', value: (e) => e.subject_id },
      { label: 'before', value: (e) => (e.before === null ? null : JSON.stringify(e.before)) },
      { label: 'after', value: (e) => (e.after === null ? null : JSON.stringify(e.after)) },
      { label: 'reason', value: (e) => e.reason },
    ],
    entries,
  )
}
