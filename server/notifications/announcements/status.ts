import type { Selectable } from 'kysely'
import type { AnnouncementsTable } from '#server/db/tables-notifications.ts'
import type { AnnouncementRow } from '#shared/notifications/announcements.ts'

type Stored = Selectable<AnnouncementsTable>['status']
type Documented = AnnouncementRow['status']

/** The status of an announcement by its documented name. */
export const documentedStatus = (status: Stored): Documented => (status === 'sent' ? 'told' : status)

/** The reverse, to filter by. */
export const storedStatus = (status: Documented): Stored => (status === 'told' ? 'sent' : status)
