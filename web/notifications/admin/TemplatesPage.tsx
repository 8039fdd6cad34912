import { Link } from 'react-router'
import { directionOf } from '#shared/language.ts'
import { listTemplates, type TemplateRow } from '#shared/notifications/templates.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { Board, BoardRow } from '#web/ui/Board.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/TemplatesPage'
import styles from './Announcements.module.css'
import { AnnouncementTabs } from './AnnouncementTabs.tsx'
import { templatePath } from './paths.ts'

export const handle = { ns: ['announcements'] } satisfies RouteHandle

export const loader = ({ context }: Route.LoaderArgs) => api(context)(listTemplates)

/** All message templates, and which of them have custom texts. */
export default function TemplatesPage({ loaderData: { templates } }: Route.ComponentProps) {
  const t = useT('announcements')
  return (
    <AdminPage title={t('page_title')}>
      <FlashMessage namespace="announcements" />
      <AnnouncementTabs current="templates" />
      <div className={styles.stack}>
        <p className={styles.hint}>{t('templates_hint')}</p>
        <Board label={t('tab_templates')}>
          {templates.map((template) => (
            <Row key={template.name} template={template} />
          ))}
        </Board>
      </div>
    </AdminPage>
  )
}

function Row({ template: { name, languages } }: { template: TemplateRow }) {
  const t = useT('announcements')
  return (
    <BoardRow
      title={<bdi dir="ltr">{name}</bdi>}
      end={
        <Buttons>
          {languages.map(({ language }) => (
            <Link key={language} to={templatePath(name, language)} aria-label={`${name}, ${t(`language_${language}`)}`}>
              {t(`language_${language}`)}
            </Link>
          ))}
        </Buttons>
      }
    >
      {languages.map(({ language, subject, is_changed, version, updated_at, updated_by_name }) => (
        <div key={language}>
          <bdi lang={language} dir={directionOf(language)}>
            {subject}
          </bdi>{' '}
          {is_changed && (
            <>
              <Tag>{t('changed_words')}</Tag>{' '}
              <span className={styles.hint}>
                {t('version_by', { version, name: updated_by_name ?? t('unknown_user') })}
                {t('comma')}
                {updated_at && <Time value={updated_at} />}
              </span>
            </>
          )}
        </div>
      ))}
    </BoardRow>
  )
}
