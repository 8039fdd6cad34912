import { Link } from 'react-router'
import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import { LANGUAGES } from '#shared/language.ts'
import type { AnnouncementDetail } from '#shared/notifications/announcements.ts'
import { mayPass } from '#shared/roles.ts'
import { pagesOf } from '#shared/table.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { AnnouncementPreview } from './AnnouncementPreview.tsx'
import styles from './Announcements.module.css'
import { announcementPath } from './paths.ts'

interface Props {
  announcement: AnnouncementDetail
  estimate: ReachEstimate
}

/** Before sending: who is reached by which channel, who is not, and a preview. */
export function ReachSection({ announcement, estimate }: Props) {
  const t = useT('announcements')
  const language = useLanguage()
  const n = (value: number) => formatNumber(language, value)
  const { channels, sms_segments, sms_cost, unreached } = estimate
  return (
    <>
      <AdminPanel id="reach" title={t('section_reach')}>
        <div className={styles.in}>
          <p>
            {t('chosen', { count: estimate.chosen, n: n(estimate.chosen) })}{' '}
            {t('reaches', { count: estimate.people, n: n(estimate.people) })}
          </p>
        </div>
        {channels.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be keyboard accessible
          <section className={styles.scroller} aria-labelledby="reach" tabIndex={0}>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{t('channel')}</th>
                  {(['recipients_column', ...LANGUAGES.map((of) => `language_${of}` as const)] as const).map((key) => (
                    <th key={key} scope="col" className={styles.number}>
                      {t(key)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {channels.map(({ channel, people, ...readers }) => (
                  <tr key={channel}>
                    <th scope="row">{t(`channel_${channel}`)}</th>
                    <td className={styles.number}>{n(people)}</td>
                    {LANGUAGES.map((of) => (
                      <td key={of} className={styles.number}>
                        {n(readers[of])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
        {sms_segments > 0 && (
          <div className={styles.in}>
            <p>
              {t('sms_segments', { count: sms_segments, n: n(sms_segments) })}{' '}
              {sms_cost ? t('sms_cost', { cost: sms_cost }) : t('sms_cost_unknown')}
            </p>
          </div>
        )}
        {unreached.total > 0 && <Unreached announcement={announcement} unreached={unreached} />}
      </AdminPanel>
      <AdminPanel id="previews" title={t('section_previews')}>
        <div className={`${styles.in} ${styles.pair}`}>
          {estimate.previews.map((preview) => (
            <AnnouncementPreview key={preview.language} preview={preview} channels={announcement.channels ?? []} />
          ))}
        </div>
      </AdminPanel>
    </>
  )
}

function Unreached({
  announcement,
  unreached,
}: {
  announcement: AnnouncementDetail
  unreached: ReachEstimate['unreached']
}) {
  const t = useT('announcements')
  const language = useLanguage()
  const { total, page, people } = unreached
  const pages = pagesOf(unreached)
  const canSeeUsers = mayPass('manageUsers', useUser()?.role ?? null)
  const to = (page: number) => `${announcementPath(announcement.id)}?page=${page}`
  return (
    <div className={styles.in}>
      <details open={page > 1}>
        <summary>{t('unreached', { count: total, n: formatNumber(language, total) })}</summary>
        <ul className={styles.list}>
          {people.map(({ id, name, email }) => (
            <li key={id}>
              {canSeeUsers ? (
                <Link to={`/admin/users/${id}`}>
                  <bdi>{name}</bdi>
                </Link>
              ) : (
                <bdi>{name}</bdi>
              )}{' '}
              <bdi dir="ltr" className={styles.hint}>
                {email}
              </bdi>
            </li>
          ))}
        </ul>
        {pages > 1 && (
          <nav aria-label={t('unreached_pages')}>
            <Buttons>
              {page > 1 && <Link to={to(page - 1)}>{t('previous')}</Link>}
              {page < pages && <Link to={to(page + 1)}>{t('next')}</Link>}
            </Buttons>
          </nav>
        )}
      </details>
    </div>
  )
}
