import { data } from 'react-router'
import { getManagedAdvisory } from '#shared/advisories/admin.ts'
import { listAnnouncementsOf } from '#shared/advisories/announcements.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { nameIn } from '../reader.server.ts'
import type { Route } from './+types/EditAdvisoryPage'
import { AcceptLevel } from './AcceptLevel.tsx'
import { Actions } from './Actions.tsx'
import { Announcements } from './Announcements.tsx'
import styles from './EditAdvisoryPage.module.css'
import { EntryEditor } from './EntryEditor.tsx'
import { choicesFor, viewOf } from './entry.server.ts'
import { valuesOf } from './entry-values.ts'
import { HistoryList } from './HistoryList.tsx'
import { Preview } from './Preview.tsx'
import { PublicationStateTag } from './PublicationStateTag.tsx'
import { MANAGE } from './paths.ts'
import { StaleAdvisory } from './StaleAdvisory.tsx'

export { actOnEntry as action } from './entry.server.ts'

export const handle = { ns: ['manage', 'compose', 'advisory', 'advisories', 'forms'] } satisfies RouteHandle
export { whenChanged as shouldRevalidate } from './revalidation.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function loader({ context, request, params }: Route.LoaderArgs) {
  if (!ID.test(params.id)) throw data(null, { status: 404 })
  const { language } = visitorOf(context)
  const call = api(context)
  const found = await call(getManagedAdvisory, { params: { id: params.id } })
  return {
    ...found,
    told: found.advisory.status === 'draft' ? null : await call(listAnnouncementsOf, { params: { id: params.id } }),
    title: found.advisory.title,
    view: await viewOf(call, found, language),
    values: valuesOf(found.advisory, nameIn(language)),
    choices: found.advisory.is_written_here ? await choicesFor(call, language) : null,
    /** The confirmation step of an action. */
    asks: new URL(request.url).searchParams.get('action'),
  }
}

export default function EditAdvisoryPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('manage')
  const { advisory, view, values, choices, history, asks: pendingAction, told: announcementData } = loaderData
  const seen = history[0]?.id ?? 0
  const isStale = actionData?.error?.code === 'stale'
  const historyList = (
    <HistoryList history={history} count={advisory.acknowledgment_count} language={advisory.language} />
  )
  return (
    <AdminPage
      title={
        <span lang={advisory.language} dir="auto">
          {advisory.title}
        </span>
      }
      end={
        <>
          <PublicationStateTag standing={advisory.standing} removal={advisory.removal} />
          {advisory.status === 'actual' && (
            <ButtonLink isSmall to={`/travel-advisories/${advisory.id}`} icon="external" target="_blank">
              {t('public_page')}
            </ButtonLink>
          )}
        </>
      }
    >
      <BackLink to={MANAGE}>{t('back_to_list')}</BackLink>
      <FlashMessage namespace="manage" kinds={{ skipped: 'unknown' }} />
      {isStale && <StaleAdvisory advisory={advisory} history={history} seen={Number(actionData.values.seen ?? 0)} />}
      <AcceptLevel key={`accept ${advisory.updated_at}`} advisory={advisory} seen={seen} />
      <Actions
        advisory={advisory}
        pendingAction={pendingAction}
        error={isElsewhere(actionData?.intent) ? undefined : actionData?.error}
        seen={seen}
      />
      {announcementData && (
        <Announcements
          announcementData={announcementData}
          id={advisory.id}
          isConfirming={pendingAction === 'notify'}
          error={actionData?.intent === 'notify_now' ? actionData.error : undefined}
        />
      )}
      {!choices && historyList}
      {choices ? (
        <EntryEditor
          key={advisory.updated_at}
          answer={actionData}
          choices={choices}
          initialValues={values}
          advisory={advisory}
          view={view}
          seen={seen}
        />
      ) : (
        <div className={styles.shown}>
          <AdminPanel id="shown" title={t('shown_as')}>
            <Preview view={view} />
          </AdminPanel>
        </div>
      )}
      {choices && historyList}
    </AdminPage>
  )
}

/** Errors shown at their own place on the page. */
const isElsewhere = (intent: string | undefined) =>
  intent === 'draft' || intent === 'publish' || intent === 'preview' || intent === 'notify_now'
