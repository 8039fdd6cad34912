import { Form, Link } from 'react-router'
import type { WithheldNews as News } from '#shared/notifications/withheld-news.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Time } from '#web/ui/Time.tsx'
import { SeverityTag } from '../SeverityTag.tsx'
import { editPath } from './paths.ts'
import styles from './WithheldNews.module.css'

/** Changes from a source that were not announced, to be released or discarded. */
export function WithheldNews({ news }: { news: readonly News[] }) {
  const t = useT('manage')
  if (news.length === 0) return null
  return (
    <AdminPanel id="withheld" title={t('withheld_title')}>
      <Form method="post" className={styles.form}>
        <p>{t('withheld_text')}</p>
        <ul className={styles.list}>
          {news.map((item) => (
            <li key={item.id}>
              <input
                type="checkbox"
                name="ids"
                value={item.id}
                defaultChecked
                id={`news-${item.id}`}
                aria-describedby={`about-${item.id}`}
              />
              <label htmlFor={`news-${item.id}`}>
                <bdi lang={item.language}>{item.title}</bdi>
              </label>
              <span id={`about-${item.id}`} className={styles.about}>
                <SeverityTag severity={item.severity_level} isPulsing={false} /> {t(`withheld_${item.reason}`)}
                {t('comma')}
                <Time value={item.withheld_at} />
                {t('comma')}
                <Link to={editPath(item.advisory_id)}>{t('withheld_open')}</Link>
              </span>
            </li>
          ))}
        </ul>
        <Buttons>
          <Button type="submit" look="primary" name="intent" value="release_news">
            {t('withheld_release')}
          </Button>
          <Button type="submit" name="intent" value="drop_news">
            {t('withheld_drop')}
          </Button>
        </Buttons>
      </Form>
    </AdminPanel>
  )
}
