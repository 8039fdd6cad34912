import { data } from 'react-router'
import { directionOf, LANGUAGES } from '#shared/language.ts'
import { getTemplate, type TemplateDetail } from '#shared/notifications/templates.ts'
import { MailFrame } from '#web/delivery/MailFrame.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { translator, useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/TemplatePage'
import styles from './Announcements.module.css'
import { TEMPLATES, templatePath } from './paths.ts'
import { TemplateForm } from './TemplateForm.tsx'
import { languageIn } from './template.server.ts'
import { nameKey } from './template-groups.ts'

export { actOnTemplate as action } from './template.server.ts'

export const handle = { ns: ['announcements', 'forms'] } satisfies RouteHandle

export async function loader({ context, params }: Route.LoaderArgs) {
  const language = languageIn(params.language)
  if (!language) throw data(null, { status: 404 })
  const template = await api(context)(getTemplate, { params: { name: params.name, language } })
  return { template, title: translator(visitorOf(context).language, 'announcements')(nameKey(template.name)) }
}

/** The texts of one message in one language: edit, preview, and reset. */
export default function TemplatePage({ loaderData: { template }, actionData }: Route.ComponentProps) {
  const t = useT('announcements')
  const preview = actionData?.preview ?? template.preview
  return (
    <AdminPage title={t(nameKey(template.name))}>
      <BackLink to={TEMPLATES}>{t('back_to_templates')}</BackLink>
      <FlashMessage namespace="announcements" />
      <div className={styles.tabs}>
        <Tabs
          label={t('template_language')}
          tabs={LANGUAGES.map((language) => ({
            key: language,
            label: t(`language_${language}`),
            to: templatePath(template.name, language),
            isCurrent: language === template.language,
          }))}
        />
      </div>
      <div className={styles.stack}>
        <div className={styles.beside}>
          <TemplateForm template={template} actionData={actionData} />
          <AdminPanel id="preview" title={t(actionData?.preview ? 'preview_unsaved' : 'preview')}>
            <Preview template={template} preview={preview} isUnsaved={actionData?.preview !== undefined} />
          </AdminPanel>
        </div>
        {template.history.length > 0 && (
          <AdminPanel id="history" title={t('earlier')}>
            <History template={template} />
          </AdminPanel>
        )}
      </div>
    </AdminPage>
  )
}

interface PreviewProps {
  template: TemplateDetail
  preview: TemplateDetail['preview']
  isUnsaved: boolean
}

function Preview({ template: { language }, preview: { subject, html, sms }, isUnsaved }: PreviewProps) {
  const t = useT('announcements')
  return (
    <div className={styles.in}>
      {isUnsaved && <Note isLive title={t('preview_unsaved_text')} />}
      <div className={`${styles.preview} ${styles.mail}`}>
        <h3>
          {t('channel_email')}: <bdi>{subject}</bdi>
        </h3>
        <MailFrame html={html} title={t('mail_in', { language: t(`language_${language}`) })} />
      </div>
      {sms && (
        <div className={styles.preview}>
          <h3>{t('channel_sms')}</h3>
          <p className={styles.bubble} lang={language} dir={directionOf(language)}>
            {sms}
          </p>
        </div>
      )}
    </div>
  )
}

function History({ template }: { template: TemplateDetail }) {
  const t = useT('announcements')
  const language = useLanguage()
  return (
    <ul className={styles.versions}>
      {template.history.map(({ version, words, created_at, created_by_name }) => (
        <li key={version}>
          <span>
            {t('version_by', { version: formatNumber(language, version), name: created_by_name ?? t('portal_itself') })}
            {t('comma')}
            <Time value={created_at} />
            <br />
            {words ? (
              <bdi lang={template.language} dir={directionOf(template.language)}>
                {words.subject}
              </bdi>
            ) : (
              t('own_words')
            )}
          </span>
          {version !== template.version && (
            <Form action={templatePath(template.name, template.language)}>
              <input type="hidden" name="intent" value="restore" />
              <input type="hidden" name="restore" value={version} />
              <input type="hidden" name="version" value={template.version} />
              <Button type="submit" isSmall aria-label={t('restore_version', { version })}>
                {t('restore')}
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  )
}
