import { Link } from 'react-router'
import type { AnnouncementDetail } from '#shared/notifications/announcements.ts'
import { mayPass } from '#shared/roles.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Submit } from '#web/ui/Form.tsx'
import { ActionForm } from './AnnouncementActions.tsx'
import styles from './Announcements.module.css'

const STAT_COLUMNS = ['waiting', 'deferred', 'sent', 'delivered', 'failed', 'dropped', 'recorded'] as const

/** Results by channel, and reasons of failures. */
export function AnnouncementStats({ announcement }: { announcement: AnnouncementDetail }) {
  const t = useT('announcements')
  const language = useLanguage()
  const { figures } = announcement
  const seesOutbox = mayPass('readOutbox', useUser()?.role ?? null)
  const shown = STAT_COLUMNS.filter((name) => name === 'failed' || figures.some((row) => row[name] > 0))
  const outbox = (more: string) => `/admin/outbox?announcement=${announcement.id}${more}`
  return (
    <>
      <AdminPanel
        id="stats"
        title={t('section_stats')}
        end={seesOutbox && <Link to={outbox('')}>{t('in_outbox')}</Link>}
      >
        {figures.length === 0 ? (
          <p className={styles.in}>{t('stats_none')}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be keyboard accessible
          <section className={styles.scroller} aria-labelledby="stats" tabIndex={0}>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{t('channel')}</th>
                  {shown.map((name) => (
                    <th key={name} scope="col" className={styles.number}>
                      {t(`count_${name}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {figures.map((row) => (
                  <tr key={row.channel}>
                    <th scope="row">{t(`channel_${row.channel}`)}</th>
                    {shown.map((name) => (
                      <td key={name} className={styles.number}>
                        <span className={name === 'failed' && row.failed > 0 ? styles.bad : undefined}>
                          {formatNumber(language, row[name])}
                        </span>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </AdminPanel>
      {announcement.failed > 0 && (
        <AdminPanel id="failures" title={t('section_failures')}>
          <div className={styles.in}>
            <ul className={styles.list}>
              {announcement.reasons.map(({ channel, error, count }) => (
                <li key={`${channel} ${error}`}>
                  {t(`channel_${channel}`)}, {formatNumber(language, count)}: <bdi className={styles.bad}>{error}</bdi>
                </li>
              ))}
            </ul>
            <Buttons>
              <ActionForm action="retry" announcement={announcement}>
                <Submit icon="refresh" look="secondary">
                  {t('retry')}
                </Submit>
              </ActionForm>
              {seesOutbox && <Link to={outbox('&status=failed')}>{t('failed_in_outbox')}</Link>}
            </Buttons>
          </div>
        </AdminPanel>
      )}
    </>
  )
}
