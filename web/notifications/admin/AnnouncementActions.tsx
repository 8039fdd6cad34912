import type { ReactNode } from 'react'
import type { AnnouncementDetail } from '#shared/notifications/announcements.ts'
import { type FormResult, resultOf } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Announcements.module.css'
import type { Action } from './actions.server.ts'
import { announcementPath } from './paths.ts'

interface Props {
  announcement: AnnouncementDetail
  actionData: FormResult | undefined
}

/** Possible actions on the announcement, depending on the user's role. */
export function AnnouncementActions({ announcement, actionData }: Props) {
  const { status, kind } = announcement
  if (status === 'for_approval')
    return announcement.is_mine ? (
      <Own announcement={announcement} />
    ) : (
      <Decision announcement={announcement} actionData={actionData} />
    )
  if (status === 'waiting' && kind !== 'advisory') return <Planned announcement={announcement} />
  return null
}

function Own({ announcement }: { announcement: AnnouncementDetail }) {
  const t = useT('announcements')
  return (
    <Note
      kind="unknown"
      title={t('waits_for_second')}
      action={
        <ActionForm action="cancel" announcement={announcement}>
          <Submit look="secondary">{t('cancel')}</Submit>
        </ActionForm>
      }
    >
      {t('waits_for_second_text')}
    </Note>
  )
}

function Decision({ announcement, actionData }: Pick<Props, 'announcement' | 'actionData'>) {
  const t = useT('announcements')
  const tForms = useT('forms')
  const declining = resultOf(actionData, 'decline')
  const problem = declining?.error && (declining.error.fields.reason ?? declining.error.error)
  return (
    <AdminPanel id="actions" title={t('section_decide')}>
      <div className={styles.in}>
        <p>{t('decide_hint', { name: announcement.created_by_name ?? t('unknown_user') })}</p>
        <Buttons>
          <ActionForm action="approve" announcement={announcement}>
            <Submit>{t('approve')}</Submit>
          </ActionForm>
          <ActionForm action="test" announcement={announcement}>
            <Submit look="secondary">{t('test')}</Submit>
          </ActionForm>
        </Buttons>
        <ActionForm action="decline" announcement={announcement}>
          <div className={styles.find}>
            <TextField
              label={t('decline_reason')}
              name="reason"
              maxLength={500}
              defaultValue={declining?.values.reason}
              error={problem && translateMessage(tForms, problem)}
            />
            <Submit look="secondary">{t('decline')}</Submit>
          </div>
        </ActionForm>
      </div>
    </AdminPanel>
  )
}

function Planned({ announcement }: { announcement: AnnouncementDetail }) {
  const t = useT('announcements')
  return (
    <Note
      title={
        announcement.scheduled_for ? (
          <>
            {t('planned_for')} <Time value={announcement.scheduled_for} />
          </>
        ) : (
          t('sent_any_moment')
        )
      }
      action={
        <ActionForm action="cancel" announcement={announcement}>
          <Submit look="secondary">{t('cancel')}</Submit>
        </ActionForm>
      }
    />
  )
}

/** One button; acts on the version of the announcement as displayed. */
export function ActionForm({
  action,
  announcement,
  children,
}: {
  action: Action
  announcement: AnnouncementDetail
  children: ReactNode
}) {
  return (
    <Form action={announcementPath(announcement.id)}>
      <input type="hidden" name="intent" value={action} />
      <input type="hidden" name="made_from" value={announcement.updated_at} />
      {children}
    </Form>
  )
}
