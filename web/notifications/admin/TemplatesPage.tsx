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
import { GROUPS, nameKey, TEMPLATE_GROUPS } from './template-groups.ts'

export const handle = { ns: ['announcements'] } satisfies RouteHandle

export const loader = ({ context }: Route.LoaderArgs) => api(context)(listTemplates)

/** All message templates by what they are about, and which of them have custom texts. */
export default function TemplatesPage({ loaderData: { templates } }: Route.ComponentProps) {
  const t = useT('announcements')
  return (
    <AdminPage title={t('page_title')}>
      <FlashMessage namespace="announcements" />
      <AnnouncementTabs current="templates" />
      <div className={styles.stack}>
        <p className={styles.hint}>{t('templates_hint')}</p>
        {GROUPS.map((group) => (
          <section key={group} className={styles.stack}>
            <h2 className={styles.groupHeading}>{t(`group_${group}`)}</h2>
            <Board label={t(`group_${group}`)}>
              {TEMPLATE_GROUPS[group].map((name) => {
                const template = templates.find((known) => known.name === name)
                return template && <Row key={name} template={template} />
              })}
            </Board>
          </section>
        ))}
      </div>
    </AdminPage>
  )
}

function Row({ template: { name, languages } }: { template: TemplateRow }) {
  const t = useT('announcements')
  const label = t(nameKey(name))
  return (
    <BoardRow
      title={label}
      end={
        <Buttons>
          {languages.map(({ language }) => (
            <Link
              key={language}
              to={templatePath(name, language)}
              aria-label={`${label}, ${t(`language_${language}`)}`}
            >
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
