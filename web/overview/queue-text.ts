import type { Language } from '#shared/language.ts'
import type { QueueRow } from '#shared/overview/queue.ts'
import { CASES } from '#web/assistant/cases/paths.ts'
import { formatNumber, isolated } from '#web/lib/format.ts'
import type { Key, Translate } from '#web/lib/i18n.tsx'
import { rollCallPath } from '#web/roll-calls/paths.ts'
import type { IconName } from '#web/ui/Icon.tsx'

/** A row with the names that only the server knows. */
export type ShownRow = QueueRow & { place: string | null }

/** Key of a row in lists. */
export const keyOf = ({ kind, id, user_id }: QueueRow) => `${kind} ${id} ${user_id}`

interface KindLook {
  icon: IconName
  verb: Key<'queue'>
}

const LOOKS: Record<QueueRow['kind'], KindLook> = {
  help: { icon: 'emergency', verb: 'do_open' },
  case: { icon: 'speech', verb: 'do_open' },
  unclear: { icon: 'speech', verb: 'do_open' },
  hand_over: { icon: 'speech', verb: 'do_open' },
  burst: { icon: 'emergency', verb: 'do_open_calls' },
  roll_call: { icon: 'hands', verb: 'do_open' },
  alarm: { icon: 'storm', verb: 'do_outbox' },
  backup: { icon: 'data', verb: 'do_open' },
  restore_test: { icon: 'data', verb: 'do_open' },
  announcement: { icon: 'bell', verb: 'do_review' },
  discretion: { icon: 'shield', verb: 'do_review' },
  import: { icon: 'download', verb: 'do_review' },
  withheld: { icon: 'pause', verb: 'do_decide' },
  lower_levels: { icon: 'down', verb: 'do_compare' },
  source: { icon: 'unknown', verb: 'do_open' },
  failed_messages: { icon: 'mail', verb: 'do_outbox' },
  accounts: { icon: 'person', verb: 'do_verify' },
  church_messages: { icon: 'church', verb: 'do_answer' },
  church_corrections: { icon: 'church', verb: 'do_review' },
  churches_due: { icon: 'church', verb: 'do_confirm' },
  questions: { icon: 'unknown', verb: 'do_review' },
  facts: { icon: 'unknown', verb: 'do_confirm' },
  names: { icon: 'pin', verb: 'do_match' },
}

export const iconOf = ({ kind }: QueueRow): IconName => LOOKS[kind].icon

/** What the button of a row says that the caller cannot take. */
export function verbOf({ kind, cause }: QueueRow): Key<'queue'> {
  if (cause === 'no_mail_provider') return 'do_settings'
  return cause === 'not_announced' ? 'do_advisories' : LOOKS[kind].verb
}

/** Where a row is handled. Coordinators verify new accounts on their own page. */
export function pathOf(row: QueueRow, isCoordinator: boolean): string {
  const { kind, id, user_id, country_code, cause } = row
  switch (kind) {
    case 'help':
      return `${rollCallPath(id ?? '')}?part=help#p-${user_id}`
    case 'unclear':
      return `${rollCallPath(id ?? '')}?part=unclear#p-${user_id}`
    case 'roll_call':
      return `${rollCallPath(id ?? '')}?part=silent`
    case 'case':
    case 'hand_over':
      return `${CASES}/${id}`
    case 'burst':
      return `${CASES}?status=open${country_code ? `&country=${country_code}` : ''}`
    case 'alarm':
      return ALARM_PATHS[cause ?? 'not_fanned_out']
    case 'announcement':
      return `/admin/notifications/${id}`
    case 'import':
      return `/admin/locales/import/${id}`
    case 'withheld':
    case 'source':
      return `/admin/travel-advisories/sources/${id}`
    case 'lower_levels':
      return `/admin/travel-advisories?source=${id}&status=pending_level`
    case 'accounts':
      return isCoordinator ? '/admin/coordinator#new-accounts' : '/admin/users?tab=new'
    default:
      return PATHS[kind]
  }
}

const ALARM_PATHS: Record<NonNullable<QueueRow['cause']>, string> = {
  not_fanned_out: '/admin/outbox',
  not_sent_email: '/admin/outbox?channel=email',
  not_sent_sms: '/admin/outbox?channel=sms',
  not_announced: '/admin/travel-advisories?status=in_force&sort=-updated_at',
  no_mail_provider: '/admin/settings#channels',
}

const PATHS = {
  backup: '/admin/data',
  restore_test: '/admin/data',
  discretion: '/admin/locales/discretion',
  failed_messages: '/admin/outbox?status=failed',
  church_messages: '/admin/my-churches?tab=messages',
  church_corrections: '/admin/my-churches?tab=corrections',
  churches_due: '/admin/my-churches?status=due',
  questions: '/admin/assistant',
  facts: '/admin/assistant/facts?status=expired',
  names: '/admin/travel-advisories/names',
} as const

/** What waits, in one sentence. */
export function titleOf(t: Translate<'queue'>, row: ShownRow): string {
  const { kind, count, figures, place, cause } = row
  const name = row.name ? isolated(row.name) : null
  switch (kind) {
    case 'case':
      if (figures.messages !== undefined) return t('group_messages', { count })
      return t('case', { name: name ?? t('someone') })
    case 'help':
    case 'unclear':
    case 'hand_over':
      return t(kind, { name: name ?? t('someone') })
    case 'burst':
      return place ? t('burst_in', { country: isolated(place) }) : t('burst')
    case 'alarm':
      return t(`alarm_${cause ?? 'not_fanned_out'}`, { n: count })
    case 'discretion':
      return name ? t('discretion_one', { name }) : t('discretion', { country: isolated(place ?? '') })
    case 'backup':
      return t(figures.made ? 'backup' : 'no_backup')
    default:
      return t(kind, { count, name: name ?? '' })
  }
}

/** More about it, in a few words; empty where the title says everything. */
export function aboutOf(t: Translate<'queue'>, language: Language, row: ShownRow): string {
  const { kind, about, figures, count, cause } = row
  const n = (value: number | undefined) => formatNumber(language, value ?? 0)
  switch (kind) {
    case 'roll_call':
      return t('roll_call_about', { silent: n(figures.silent), asked: n(figures.asked) })
    case 'burst':
      return t('burst_about', { n: n(count) })
    case 'failed_messages':
      return t('failed_about', { email: n(figures.email), sms: n(figures.sms), others: n(figures.others) })
    case 'import':
      return t('import_about', { count: figures.rows ?? 0 })
    case 'announcement':
    case 'discretion':
      return t('announcement_about', { name: about ? isolated(about) : t('deleted_user') })
    case 'withheld':
    case 'lower_levels':
    case 'source':
      return t(`${kind}_about`)
    case 'alarm':
      return cause === 'no_mail_provider' ? t('alarm_no_mail_provider_about') : about ? isolated(about) : ''
    default:
      return about ? isolated(about) : ''
  }
}

/** '25 min', '1 h 10', '5 h', '2 days': how long it has waited. */
export function ageText(t: Translate<'queue'>, since: string, now: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / 60_000))
  if (minutes === 0) return t('age_now')
  if (minutes < 60) return t('age_minutes', { n: minutes })
  const hours = Math.floor(minutes / 60)
  if (hours >= 24) return t('age_days', { count: Math.floor(hours / 24) })
  const rest = minutes % 60
  return hours < 5 && rest > 0 ? t('age_hours_minutes', { n: hours, minutes: rest }) : t('age_hours', { n: hours })
}
