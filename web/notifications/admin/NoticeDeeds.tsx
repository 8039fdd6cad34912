import type { ReactNode } from 'react'
import type { Notice, Outlook } from '#shared/notifications/notices.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLanguage, useT } from '../../lib/i18n.tsx'
import { said } from '../../lib/said.ts'
import { AdminPanel } from '../../ui/AdminPage.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Buttons } from '../../ui/Buttons.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Form, Submit } from '../../ui/Form.tsx'
import { Note } from '../../ui/Note.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Deed, Refused } from './deeds.server.ts'
import styles from './Notices.module.css'
import { noticePath } from './paths.ts'

interface Props {
  notice: Notice
  outlook: Outlook | null
  refused: Refused | undefined
}

/** What can be done with it now, and by whom. */
export function NoticeDeeds({ notice, outlook, refused }: Props) {
  const { status, kind } = notice
  if (status === 'draft') return <Draft notice={notice} outlook={outlook} />
  if (status === 'for_approval')
    return notice.is_mine ? <Own notice={notice} /> : <Decision notice={notice} refused={refused} />
  if (status === 'waiting' && kind !== 'advisory') return <Planned notice={notice} />
  return null
}

function Draft({ notice, outlook }: Pick<Props, 'notice' | 'outlook'>) {
  const t = useT('notices')
  const language = useLanguage()
  const isPlanned = notice.scheduled_for !== null
  const label = outlook?.needs_approval ? 'submit' : isPlanned ? 'plan' : 'send_now'
  return (
    <>
      {notice.decline_reason && (
        <Note title={t('declined_by', { name: notice.declined_by_name ?? t('somebody') })}>
          <bdi>{notice.decline_reason}</bdi>
        </Note>
      )}
      <AdminPanel id="deeds" title={t('part_send')}>
        <div className={styles.in}>
          <p>
            {t('reaches', {
              count: outlook?.people ?? 0,
              n: formatNumber(language, outlook?.people ?? 0),
            })}{' '}
            {isPlanned && (
              <>
                {t('planned_for')} <Time value={notice.scheduled_for!} />
              </>
            )}
          </p>
          {outlook?.needs_approval && (
            <p className={styles.hint}>{t('needs_approval', { n: formatNumber(language, outlook.approval_above) })}</p>
          )}
          <Buttons>
            <DeedForm deed="send" notice={notice}>
              <Submit>{t(label)}</Submit>
            </DeedForm>
            <DeedForm deed="test" notice={notice}>
              <Submit look="secondary">{t('test')}</Submit>
            </DeedForm>
            <ButtonLink to={`${noticePath(notice.id)}/edit`}>{t('edit')}</ButtonLink>
            <DeedForm deed="delete" notice={notice}>
              <Submit look="link">{t('delete')}</Submit>
            </DeedForm>
          </Buttons>
        </div>
      </AdminPanel>
    </>
  )
}

function Own({ notice }: { notice: Notice }) {
  const t = useT('notices')
  return (
    <Note
      kind="unknown"
      title={t('waits_for_second')}
      action={
        <DeedForm deed="cancel" notice={notice}>
          <Submit look="secondary">{t('cancel')}</Submit>
        </DeedForm>
      }
    >
      {t('waits_for_second_text')}
    </Note>
  )
}

function Decision({ notice, refused }: Pick<Props, 'notice' | 'refused'>) {
  const t = useT('notices')
  const tForms = useT('forms')
  const declining = refused?.deed === 'decline' ? refused : undefined
  const problem = declining && (declining.failure.fields.reason ?? declining.failure.error)
  return (
    <AdminPanel id="deeds" title={t('part_decide')}>
      <div className={styles.in}>
        <p>{t('decide_hint', { name: notice.created_by_name ?? t('somebody') })}</p>
        <Buttons>
          <DeedForm deed="approve" notice={notice}>
            <Submit>{t('approve')}</Submit>
          </DeedForm>
          <DeedForm deed="test" notice={notice}>
            <Submit look="secondary">{t('test')}</Submit>
          </DeedForm>
        </Buttons>
        <DeedForm deed="decline" notice={notice}>
          <div className={styles.find}>
            <TextField
              label={t('decline_reason')}
              name="reason"
              maxLength={500}
              defaultValue={declining?.reason}
              error={problem && said(tForms, problem)}
            />
            <Submit look="secondary">{t('decline')}</Submit>
          </div>
        </DeedForm>
      </div>
    </AdminPanel>
  )
}

function Planned({ notice }: { notice: Notice }) {
  const t = useT('notices')
  return (
    <Note
      title={
        notice.scheduled_for ? (
          <>
            {t('planned_for')} <Time value={notice.scheduled_for} />
          </>
        ) : (
          t('told_any_moment')
        )
      }
      action={
        <DeedForm deed="cancel" notice={notice}>
          <Submit look="secondary">{t('cancel')}</Submit>
        </DeedForm>
      }
    />
  )
}

/** One button; what it is about is the notice as it is shown. */
export function DeedForm({ deed, notice, children }: { deed: Deed; notice: Notice; children: ReactNode }) {
  return (
    <Form action={noticePath(notice.id)}>
      <input type="hidden" name="deed" value={deed} />
      <input type="hidden" name="made_from" value={notice.updated_at} />
      {children}
    </Form>
  )
}
