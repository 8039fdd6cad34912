import { Link } from 'react-router'
import type { Notice } from '#shared/notifications/notices.ts'
import { formatNumber, namesInLine } from '../../lib/format.ts'
import { useLanguage, useT } from '../../lib/i18n.tsx'
import { Fact, Facts } from '../../ui/DetailDrawer.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './Notices.module.css'
import { StatusWord } from './StatusWord.tsx'

interface Props {
  notice: Notice
  /** Names of those it is for, and of those it does not go beyond. */
  countries: string[]
  within: string[]
}

/** Who hears it, by which ways, from whom and when. */
export function NoticeFacts({ notice, countries, within }: Props) {
  const t = useT('notices')
  const language = useLanguage()
  const places = notice.audience?.within
  return (
    <div className={styles.in}>
      <Facts>
        <Fact label={t('status')}>
          <StatusWord status={notice.status} />
        </Fact>
        <Fact label={t('kind')}>{t(`kind_${notice.kind}`)}</Fact>
        <Fact label={t('priority')}>{t(`priority_${notice.priority}`)}</Fact>
        <Fact label={t('audience')}>
          <AudienceText audience={notice.audience} countries={countries} />
        </Fact>
        {places && (
          <Fact label={t('within')}>
            {places.everywhere
              ? t('within_everywhere')
              : namesInLine(language, [...within, ...places.chapters.map(({ name }) => name)])}
          </Fact>
        )}
        {notice.channels && (
          <Fact label={t('channels')}>
            {namesInLine(
              language,
              notice.channels.map((channel) => t(`channel_${channel}`)),
            )}
          </Fact>
        )}
        {notice.action_url && (
          <Fact label={t('action_url')}>
            <Link to={notice.action_url}>
              <bdi dir="ltr">{notice.action_url}</bdi>
            </Link>
          </Fact>
        )}
        {notice.people !== null && <Fact label={t('told_to')}>{formatNumber(language, notice.people)}</Fact>}
        {notice.scheduled_for && (
          <Fact label={t('planned_for')}>
            <Time value={notice.scheduled_for} />
          </Fact>
        )}
        <Fact label={t('created_by')}>
          <bdi>{notice.created_by_name ?? t('portal_itself')}</bdi>
          {t('comma')}
          <Time value={notice.created_at} />
        </Fact>
        {notice.approved_at && (
          <Fact label={t('approved_by')}>
            <bdi>{notice.approved_by_name ?? t('somebody')}</bdi>
            {t('comma')}
            <Time value={notice.approved_at} />
          </Fact>
        )}
        {notice.told_at && (
          <Fact label={t('told_at')}>
            <Time value={notice.told_at} />
          </Fact>
        )}
      </Facts>
    </div>
  )
}

/** The lists that name somebody; all of them have to. */
function AudienceText({ audience, countries }: { audience: Notice['audience']; countries: string[] }) {
  const t = useT('notices')
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
  if (lists.length === 0) return t('audience_nobody')
  if (lists.length === 1) return namesInLine(language, lists[0]!)
  return (
    <ul className={styles.list}>
      {lists.map((list) => (
        <li key={list[0]}>{namesInLine(language, list)}</li>
      ))}
    </ul>
  )
}
