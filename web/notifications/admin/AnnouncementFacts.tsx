import { Link } from 'react-router'
import type { AnnouncementDetail } from '#shared/notifications/announcements.ts'
import { formatNumber, namesInLine } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Fact, Facts } from '#web/ui/DetailDrawer.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Announcements.module.css'
import { StatusLabel } from './StatusLabel.tsx'

interface Props {
  announcement: AnnouncementDetail
  /** Names of the audience's countries, and of those that limit it. */
  countries: string[]
  within: string[]
}

/** Audience, channels, sender and time. */
export function AnnouncementFacts({ announcement, countries, within }: Props) {
  const t = useT('announcements')
  const language = useLanguage()
  const places = announcement.audience?.within
  return (
    <div className={styles.in}>
      <Facts>
        <Fact label={t('status')}>
          <StatusLabel status={announcement.status} />
        </Fact>
        <Fact label={t('kind')}>{t(`kind_${announcement.kind}`)}</Fact>
        <Fact label={t('priority')}>{t(`priority_${announcement.priority}`)}</Fact>
        <Fact label={t('audience')}>
          <AudienceText audience={announcement.audience} countries={countries} />
        </Fact>
        {places && (
          <Fact label={t('within')}>
            {places.everywhere
              ? t('within_everywhere')
              : namesInLine(language, [...within, ...places.chapters.map(({ name }) => name)])}
          </Fact>
        )}
        {announcement.channels && (
          <Fact label={t('channels')}>
            {namesInLine(
              language,
              announcement.channels.map((channel) => t(`channel_${channel}`)),
            )}
          </Fact>
        )}
        {announcement.action_url && (
          <Fact label={t('action_url')}>
            <Link to={announcement.action_url}>
              <bdi dir="ltr">{announcement.action_url}</bdi>
            </Link>
          </Fact>
        )}
        {announcement.people !== null && (
          <Fact label={t('recipients')}>{formatNumber(language, announcement.people)}</Fact>
        )}
        {announcement.scheduled_for && (
          <Fact label={t('planned_for')}>
            <Time value={announcement.scheduled_for} />
          </Fact>
        )}
        <Fact label={t('created_by')}>
          <bdi>{announcement.created_by_name ?? t('portal_itself')}</bdi>
          {t('comma')}
          <Time value={announcement.created_at} />
        </Fact>
        {announcement.approved_at && (
          <Fact label={t('approved_by')}>
            <bdi>{announcement.approved_by_name ?? t('unknown_user')}</bdi>
            {t('comma')}
            <Time value={announcement.approved_at} />
          </Fact>
        )}
        {announcement.told_at && (
          <Fact label={t('announced_at')}>
            <Time value={announcement.told_at} />
          </Fact>
        )}
      </Facts>
    </div>
  )
}

/** The non-empty audience lists; a recipient must match all of them. */
function AudienceText({ audience, countries }: { audience: AnnouncementDetail['audience']; countries: string[] }) {
  const t = useT('announcements')
  const tAdmin = useT('admin')
  const language = useLanguage()
  if (!audience) return t('audience_subscribers')
  const { roles, chapters, people, people_count } = audience
  const others = people_count - people.length
  const names = people.map(({ name }) => name)
  const lists = [
    roles.map((role) => tAdmin(`role_${role}`)),
    countries,
    chapters.map(({ name }) => name),
    others > 0 ? [...names, t('and_others', { count: others, n: formatNumber(language, others) })] : names,
  ].filter((list) => list.length > 0)
  const [first, ...further] = lists
  if (!first) return t('audience_nobody')
  if (further.length === 0) return namesInLine(language, first)
  return (
    <ul className={styles.list}>
      {lists.map((list) => (
        <li key={list[0]}>{namesInLine(language, list)}</li>
      ))}
    </ul>
  )
}
