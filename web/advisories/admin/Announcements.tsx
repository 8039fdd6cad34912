import { Form } from 'react-router'
import type { OutputOf } from '#shared/api.ts'
import { MESSAGE_CHANNELS } from '#shared/delivery/kinds.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import actions from './Actions.module.css'
import styles from './HistoryList.module.css'
import { editPath } from './paths.ts'
import { Readers } from './Readers.tsx'

type AnnouncementData = OutputOf<'GET /admin/travel-advisories/{id}/announcements'>

interface Props {
  announcementData: AnnouncementData
  id: string
  /** The confirmation step before subscribers are notified. */
  isConfirming: boolean
  error: FormError | undefined
}

/** Past announcements to subscribers with their delivery results, and the form to notify them now. */
export function Announcements({ announcementData, id, isConfirming, error }: Props) {
  const t = useT('manage')
  const { announcements, may_notify } = announcementData
  return (
    <div className={styles.part}>
      <AdminPanel
        id="announcements"
        title={t('announcements_title')}
        end={
          may_notify &&
          !isConfirming && (
            <ButtonLink isSmall icon="bell" to="?action=notify#announcements">
              {t('notify_now')}
            </ButtonLink>
          )
        }
      >
        <div className={styles.list}>
          {may_notify &&
            (isConfirming || error ? (
              <Confirm announcementData={announcementData} id={id} error={error} />
            ) : (
              <Readers readers={announcementData.readers} />
            ))}
          {announcements.length === 0 ? (
            <p>{t('announcements_none')}</p>
          ) : (
            announcements.map((announcement) => <Announcement key={announcement.id} announcement={announcement} />)
          )}
        </div>
      </AdminPanel>
    </div>
  )
}

function Confirm({ announcementData, id, error }: Pick<Props, 'announcementData' | 'id' | 'error'>) {
  const t = useT('manage')
  const forms = useT('forms')
  return (
    <>
      {error && <Note kind="error" isLive title={translateMessage(forms, error.error)} />}
      <Note heading="h3" kind="unknown" title={t('notify_title')}>
        <Readers readers={announcementData.readers} />
        <p>{t('notify_text')}</p>
        <Form method="post" action={editPath(id)} className={actions.confirm}>
          <input type="hidden" name="times" value={announcementData.times} />
          <TextField label={t('reason')} name="reason" maxLength={500} hint={t('reason_optional')} />
          <div className={actions.buttons}>
            <Button type="submit" look="primary" icon="bell" name="intent" value="notify_now">
              {t('notify_confirm')}
            </Button>
            <ButtonLink to={editPath(id)}>{t('cancel')}</ButtonLink>
          </div>
        </Form>
      </Note>
    </>
  )
}

function Announcement({ announcement }: { announcement: AnnouncementData['announcements'][number] }) {
  const t = useT('manage')
  const language = useLanguage()
  const number = (n: number) => formatNumber(language, n)
  const { reason, version, by, told_at, created_at, people, bells, deliveries, status } = announcement
  return (
    <section className={styles.entry}>
      <p>
        <b>{t(`reason_${reason}`)}</b>{' '}
        <span className={styles.muted}>
          {t('announcement_version', { n: number(version) })}
          {t('comma')}
          <Time value={told_at ?? created_at} />
          {by && (
            <>
              {t('comma')}
              <bdi>{t('announcement_by', { name: by })}</bdi>
            </>
          )}
        </span>
      </p>
      {status === 'cancelled' && <p>{t('announcement_cancelled')}</p>}
      {status === 'waiting' && <p>{t('announcement_waiting')}</p>}
      {people !== null && (
        <p>
          {people === 0
            ? t('announcement_recipients_zero')
            : t('announcement_recipients', { count: people, n: number(people) })}
          {bells > 0 && `${t('comma')}${t('announcement_inboxes', { n: number(bells) })}`}
        </p>
      )}
      <ul>
        {MESSAGE_CHANNELS.flatMap((channel) => {
          const delivery = deliveries[channel]
          if (!delivery) return []
          const states = statesIn(delivery, (state, n) => t(`state_${state}`, { n: number(n) }))
          return [
            <li key={channel}>
              {t(`channel_${channel}`)}: {states.join(t('comma'))}
            </li>,
          ]
        })}
      </ul>
    </section>
  )
}

const STATES = ['waiting', 'recorded', 'sent', 'delivered', 'failed', 'dropped'] as const
type State = (typeof STATES)[number]

function statesIn(delivery: Partial<Record<State, number>>, label: (state: State, n: number) => string): string[] {
  return STATES.flatMap((state) => {
    const count = delivery[state] ?? 0
    return count > 0 ? [label(state, count)] : []
  })
}
