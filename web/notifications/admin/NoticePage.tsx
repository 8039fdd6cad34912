import { data } from 'react-router'
import { getAnnouncement, getOutlook } from '#shared/notifications/notices.ts'
import { nameIn } from '../../advisories/reader.server.ts'
import { useLanguage, useT } from '../../lib/i18n.tsx'
import { said } from '../../lib/said.ts'
import { api, visitorOf } from '../../lib/visitor.ts'
import type { RouteHandle } from '../../root.tsx'
import { AdminPage, AdminPanel, BackLink } from '../../ui/AdminPage.tsx'
import { Note } from '../../ui/Note.tsx'
import type { Route } from './+types/NoticePage'
import { DoneNote } from './DoneNote.tsx'
import { actOnNotice } from './deeds.server.ts'
import { NoticeDeeds } from './NoticeDeeds.tsx'
import { NoticeFacts } from './NoticeFacts.tsx'
import { NoticeFigures } from './NoticeFigures.tsx'
import styles from './Notices.module.css'
import { OutlookPart } from './OutlookPart.tsx'
import { NOTICES, UUID } from './paths.ts'

export const handle = { ns: ['notices', 'forms'] } satisfies RouteHandle

const STILL_TO_COME = ['draft', 'for_approval', 'waiting']

export async function loader({ context, request, params: { id } }: Route.LoaderArgs) {
  if (!UUID.test(id)) throw data(null, { status: 404 })
  const call = api(context)
  const notice = await call(getAnnouncement, { params: { id } })
  const page = Math.max(1, Number(new URL(request.url).searchParams.get('page')) || 1)
  const isLookedAt = notice.kind === 'notice' && STILL_TO_COME.includes(notice.status)
  const outlook = isLookedAt ? await call(getOutlook, { params: { id }, query: { page } }) : null
  const nameOf = nameIn(visitorOf(context).language)
  const namesOf = (codes: string[] = []) => codes.map((code) => nameOf(code))
  const countries = namesOf(notice.audience?.countries)
  const within = namesOf(notice.audience?.within?.countries)
  return { notice, outlook, countries, within, title: notice.titles[visitorOf(context).language] }
}

export const action = ({ context, request, params }: Route.ActionArgs) => actOnNotice(context, request, params.id)

/** One thing told to many: how it reads and whom it reaches until it is told, and afterwards what became of it. */
export default function NoticePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('notices')
  const tForms = useT('forms')
  const language = useLanguage()
  const { notice, outlook, countries, within } = loaderData
  return (
    <AdminPage title={<bdi>{notice.titles[language] || t('untitled')}</bdi>}>
      <BackLink to={NOTICES}>{t('back')}</BackLink>
      <DoneNote />
      <div className={styles.stack}>
        {actionData && actionData.deed !== 'decline' && (
          <Note kind="error" isLive title={said(tForms, actionData.failure.error)}>
            {Object.values(actionData.failure.fields).map((text) => (
              <p key={text}>{said(tForms, text)}</p>
            ))}
          </Note>
        )}
        <NoticeDeeds notice={notice} outlook={outlook} refused={actionData} />
        <AdminPanel id="facts" title={t('part_facts')}>
          <NoticeFacts notice={notice} countries={countries} within={within} />
        </AdminPanel>
        {notice.status === 'told' && <NoticeFigures notice={notice} />}
        {outlook ? <OutlookPart notice={notice} outlook={outlook} /> : <Words notice={notice} />}
      </div>
    </AdminPage>
  )
}

function Words({ notice: { texts } }: Pick<Route.ComponentProps['loaderData'], 'notice'>) {
  const t = useT('notices')
  return (
    <AdminPanel id="words" title={t('part_words')}>
      <div className={`${styles.in} ${styles.pair}`}>
        {(['en', 'ar'] as const).map((language) => (
          <div key={language} className={styles.language}>
            <h3>{t(`language_${language}`)}</h3>
            {texts[language].title ? (
              <div className={styles.card} lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
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
