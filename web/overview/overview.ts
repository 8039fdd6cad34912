import { MAX_BACKUP_HOURS } from '#shared/backup/endpoints.ts'
import type { ChurchCare, getOverview } from '#shared/overview/endpoints.ts'
import type { Key } from '#web/lib/i18n.tsx'

type Overview = (typeof getOverview)['~']['output']

export interface OverviewTile {
  key: string
  count: number
  label: Key<'admin'>
  to: string
  /** The short line below, with its numbers. */
  note?: { key: Key<'admin'>; values?: Record<string, string | number> }
  /** Needs attention now. */
  isBad?: boolean
}

interface TileInput extends Pick<Overview, 'new_accounts' | 'failed_messages' | 'unresolved_names' | 'church_care'> {
  sources: readonly { state: string }[]
  urgent: number
  /** In force, of every level. */
  total: number
}

/** The counts at the top, each linking to what it counts. Only what needs attention now is red. */
export function overviewTiles({
  new_accounts,
  failed_messages,
  unresolved_names,
  church_care,
  sources,
  urgent,
  total,
}: TileInput): OverviewTile[] {
  const isUnknown = sources.filter(({ state }) => state === 'not_confirmed').length
  return [
    {
      key: 'new_accounts',
      count: new_accounts.count,
      label: 'tile_new_accounts',
      to: '/admin/users?tab=new',
      note: { key: 'tile_to_verify' },
    },
    {
      key: 'failed_messages',
      count: failed_messages.count,
      label: 'tile_failed_messages',
      to: '/admin/outbox?status=failed',
      isBad: failed_messages.count > 0,
      ...(failed_messages.count > 0 && {
        note: { key: 'tile_channels' as const, values: channelsOf(failed_messages) },
      }),
    },
    // Churches due for confirmation are shown below: nine tiles would not fit a row.
    ...churchTiles(church_care).filter(({ key }) => key !== 'churches_due'),
    {
      key: 'sources',
      count: isUnknown,
      label: 'tile_sources',
      to: '/admin/travel-advisories/sources',
      note: { key: 'tile_of_sources', values: { total: sources.length } },
    },
    {
      key: 'unresolved',
      count: unresolved_names,
      label: 'tile_unresolved',
      to: '/admin/travel-advisories/names',
      note: { key: 'tile_in_sources' },
    },
    { key: 'urgent', count: urgent, label: 'tile_urgent', to: '/travel-advisories', note: { key: 'tile_in_force' } },
    {
      key: 'advisories',
      count: total,
      label: 'tile_advisories',
      to: '/travel-advisories',
      note: { key: 'tile_in_force' },
    },
  ]
}

const channelsOf = ({ count, email, sms }: Overview['failed_messages']) => ({ email, sms, others: count - email - sms })

/** Pending work on the churches in the user's care. */
export function churchTiles({ messages, corrections, due }: ChurchCare): OverviewTile[] {
  return [
    {
      key: 'church_messages',
      count: messages.count,
      label: 'tile_church_messages',
      to: '/admin/my-churches?tab=messages',
      note: { key: 'tile_unanswered' },
      isBad: messages.count > 0,
    },
    {
      key: 'church_corrections',
      count: corrections.count,
      label: 'tile_church_corrections',
      to: '/admin/my-churches?tab=corrections',
      note: { key: 'tile_undecided' },
    },
    {
      key: 'churches_due',
      count: due,
      label: 'tile_churches_due',
      to: '/admin/my-churches?status=due',
      note: { key: 'tile_to_confirm' },
    },
  ]
}

const HOUR_MS = 3_600_000

export interface Task {
  key: string
  label: Key<'admin'>
  /** Values of the label: a number, or the name of a source. */
  values: Record<string, string | number>
  to: string
  since: string | null
  /** Hours after which it is late. */
  limitHours: number
}

interface OpenTasks
  extends Pick<
    Overview,
    'new_accounts' | 'failed_messages' | 'unresolved_names' | 'expired_facts' | 'church_care' | 'backup'
  > {
  sources: readonly { id: string; name: string; not_confirmed_since: string | null }[]
}

/** Pending tasks, the longest waiting first; those of unknown age last. */
export function tasksOf({ backup, sources, ...counts }: OpenTasks): Task[] {
  const tasks = [...sources.map(sourceTask), ...backupTasks(backup), ...countedTasks(counts)]
  const age = ({ since }: Task) => (since ? Date.parse(since) : Number.POSITIVE_INFINITY)
  return tasks.sort((a, b) => (age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0))
}

const sourceTask = ({ id, name, not_confirmed_since }: OpenTasks['sources'][number]): Task => ({
  key: `source ${id}`,
  label: 'task_source',
  values: { name },
  to: '/admin/travel-advisories/sources',
  since: not_confirmed_since,
  limitHours: 24,
})

function backupTasks(backup: OpenTasks['backup']): Task[] {
  if (backup?.is_late)
    return [
      {
        key: 'backup',
        label: backup.last_at ? 'task_backup' : 'task_no_backup',
        values: {},
        to: '/admin/data',
        since: backup.last_at,
        limitHours: MAX_BACKUP_HOURS,
      },
    ]
  if (backup?.is_untested)
    return [{ key: 'restore', label: 'task_restore', values: {}, to: '/admin/data', since: null, limitHours: 0 }]
  return []
}

function countedTasks({
  new_accounts,
  failed_messages,
  unresolved_names,
  expired_facts,
  church_care,
}: Omit<OpenTasks, 'backup' | 'sources'>): Task[] {
  return [
    counted(failed_messages.count, {
      key: 'messages',
      label: 'task_messages',
      to: '/admin/outbox?status=failed',
      since: failed_messages.oldest_at,
      limitHours: 1,
    }),
    counted(new_accounts.count, {
      key: 'accounts',
      label: 'task_accounts',
      to: '/admin/users?tab=new',
      since: new_accounts.oldest_at,
      limitHours: 72,
    }),
    counted(church_care.messages.count, {
      key: 'church_messages',
      label: 'task_church_messages',
      to: '/admin/my-churches?tab=messages',
      since: church_care.messages.oldest_at,
      limitHours: 48,
    }),
    counted(church_care.corrections.count, {
      key: 'church_corrections',
      label: 'task_church_corrections',
      to: '/admin/my-churches?tab=corrections',
      since: church_care.corrections.oldest_at,
      limitHours: 168,
    }),
    counted(church_care.due, {
      key: 'churches_due',
      label: 'task_churches_due',
      to: '/admin/my-churches?status=due',
      since: null,
      limitHours: 0,
    }),
    counted(unresolved_names, {
      key: 'names',
      label: 'task_names',
      to: '/admin/travel-advisories/names',
      since: null,
      limitHours: 0,
    }),
    counted(expired_facts, {
      key: 'facts',
      label: 'task_facts',
      to: '/admin/assistant/facts?status=expired',
      since: null,
      limitHours: 0,
    }),
  ].flat()
}

/** A task of so many; none without any. */
const counted = (count: number, task: Omit<Task, 'values'>): Task[] =>
  count > 0 ? [{ ...task, values: { count } }] : []

/** Late after the limit. While the current time is unknown, as on the server, nothing is late. */
export const isLate = ({ since, limitHours }: Task, now: number | null) =>
  since !== null && now !== null && now - Date.parse(since) > limitHours * HOUR_MS
