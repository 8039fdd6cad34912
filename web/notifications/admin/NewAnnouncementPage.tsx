import { personLine } from '#web/compose/message.ts'
import { UnsentCopy } from '#web/compose/UnsentCopy.tsx'
import { useAnswer } from '#web/compose/useAnswer.ts'
import { useT } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/NewAnnouncementPage'
import { AnnouncementForm } from './AnnouncementForm.tsx'
import styles from './Announcements.module.css'
import { composeChoices, countedOf } from './announcement-form.server.ts'
import { ANNOUNCEMENTS } from './paths.ts'
import { NOTHING } from './values.ts'

export { revalidateUnlessCounting as shouldRevalidate } from '#web/compose/revalidation.ts'
export { compose as action } from './announcement-form.server.ts'

export const handle = { ns: ['announcements', 'compose', 'forms'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const to = new URL(request.url).searchParams.get('to')
  const { recipient, ...choices } = await composeChoices(context, to && isId(to) ? to : undefined)
  const values = recipient
    ? { ...NOTHING, found: [personLine({ name: recipient.display_name, email: recipient.email })] }
    : NOTHING
  return {
    ...{ choices, values, recipient },
    isToSomebody: to !== null,
    counted: await countedOf(api(context), values, visitorOf(context)),
  }
}

export default function NewAnnouncementPage({ loaderData, actionData: answer }: Route.ComponentProps) {
  const actionData = useAnswer(answer)
  const t = useT('announcements')
  const tCompose = useT('compose')
  const { choices, values, recipient, isToSomebody, counted } = loaderData
  return (
    <AdminPage title={tCompose('new_message')}>
      <BackLink to={ANNOUNCEMENTS}>{t('back')}</BackLink>
      {choices.countries.length + choices.chapters.length === 0 ? (
        <Note title={t('nowhere')}>{t('nowhere_text')}</Note>
      ) : (
        <>
          {isToSomebody && !recipient && (
            <div className={styles.to}>
              <Note kind="error" title={t('not_to_person')}>
                {t('not_to_person_text')}
              </Note>
            </div>
          )}
          <UnsentCopy isShown={actionData === undefined} />
          <AnnouncementForm
            key={recipient?.id}
            action={`${ANNOUNCEMENTS}/new`}
            values={values}
            counted={counted}
            actionData={actionData}
            {...choices}
          />
        </>
      )}
    </AdminPage>
  )
}
