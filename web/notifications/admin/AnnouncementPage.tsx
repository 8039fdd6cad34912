import { data, redirect } from 'react-router'
import { directionOf, LANGUAGE_TAGS, LANGUAGES } from '#shared/language.ts'
import { getAnnouncement, getReachEstimate } from '#shared/notifications/announcements.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/AnnouncementPage'
import { AnnouncementActions } from './AnnouncementActions.tsx'
import { AnnouncementFacts } from './AnnouncementFacts.tsx'
import { AnnouncementStats } from './AnnouncementStats.tsx'
import styles from './Announcements.module.css'
import { ANNOUNCEMENTS, editPath, UUID } from './paths.ts'
import { ReachSection } from './ReachSection.tsx'

export const handle = { ns: ['announcements', 'forms'] } satisfies RouteHandle
export { actOnAnnouncement as action } from './actions.server.ts'

const STILL_TO_COME = ['for_approval', 'waiting']

export async function loader({ context, request, params: { id } }: Route.LoaderArgs) {
  if (!UUID.test(id)) throw data(null, { status: 404 })
  const call = api(context)
  const announcement = await call(getAnnouncement, { params: { id } })
  const { search } = new URL(request.url)
  if (announcement.kind === 'announcement' && announcement.status === 'draft')
    throw redirect(`${editPath(id)}${search}`)
  const page = Math.max(1, Number(new URL(request.url).searchParams.get('page')) || 1)
  const isLookedAt = announcement.kind === 'announcement' && STILL_TO_COME.includes(announcement.status)
  const estimate = isLookedAt ? await call(getReachEstimate, { params: { id }, query: { page } }) : null
  const nameOf = nameIn(visitorOf(context).language)
  const namesOf = (codes: string[] = []) => codes.map((code) => nameOf(code))
  const countries = namesOf(announcement.audience?.countries)
  const within = namesOf(announcement.audience?.within?.countries)
  return { announcement, estimate, countries, within, title: announcement.titles[visitorOf(context).language] }
}

/** One announcement: preview and reach before it is sent, results afterwards. */
export default function AnnouncementPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('announcements')
  const tForms = useT('forms')
  const language = useLanguage()
  const { announcement, estimate, countries, within } = loaderData
  return (
    <AdminPage title={<bdi>{announcement.titles[language] || t('untitled')}</bdi>}>
      <BackLink to={ANNOUNCEMENTS}>{t('back')}</BackLink>
      <FlashMessage namespace="announcements" />
      <div className={styles.stack}>
        {actionData?.error && actionData.intent !== 'decline' && (
          <Note kind="error" isLive title={translateMessage(tForms, actionData.error.error)}>
            {Object.values(actionData.error.fields).map((text) => (
              <p key={text}>{translateMessage(tForms, text)}</p>
            ))}
          </Note>
        )}
        <AnnouncementActions announcement={announcement} actionData={actionData} />
        <AdminPanel id="facts" title={t('section_facts')}>
          <AnnouncementFacts announcement={announcement} countries={countries} within={within} />
        </AdminPanel>
        {announcement.status === 'sent' && <AnnouncementStats announcement={announcement} />}
        {estimate ? (
          <ReachSection announcement={announcement} estimate={estimate} />
        ) : (
          <AnnouncementTexts announcement={announcement} />
        )}
      </div>
    </AdminPage>
  )
}

function AnnouncementTexts({ announcement: { texts } }: Pick<Route.ComponentProps['loaderData'], 'announcement'>) {
  const t = useT('announcements')
  return (
    <AdminPanel id="content" title={t('section_texts')}>
      <div className={`${styles.in} ${styles.pair}`}>
        {LANGUAGES.map((language) => (
          <div key={language} className={styles.language}>
            <h3>{t(`language_${language}`)}</h3>
            {texts[language]?.title ? (
              <div className={styles.card} lang={LANGUAGE_TAGS[language]} dir={directionOf(language)}>
                <strong>{texts[language].title}</strong>
                <span>{texts[language].message}</span>
              </div>
            ) : (
              <p className={styles.hint}>{t('borrowed')}</p>
            )}
          </div>
        ))}
      </div>
    </AdminPanel>
  )
}
