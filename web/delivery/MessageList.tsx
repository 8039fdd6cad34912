import { Link, useSearchParams } from 'react-router'
import { MESSAGE_STATUSES, type OutboxRow } from '#shared/delivery/endpoints.ts'
import { MESSAGE_CHANNELS } from '#shared/delivery/kinds.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { classes } from '#web/ui/classes.ts'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import styles from './Outbox.module.css'

interface Props {
  /** Undefined if it could not be read. */
  list: { messages: OutboxRow[]; total: number; page: number; per_page: number } | undefined
  current: string | undefined
}

const FILTERS = ['search', 'status', 'channel', 'announcement'] as const

export function MessageList({ list, current }: Props) {
  const t = useT('outbox')
  const [params] = useSearchParams()
  const { messages, total, page, per_page } = list ?? { messages: [], total: 0, page: 1, per_page: 50 }
  const open = (id: string) => addressWith(params, { message: id, done: null, page })
  return (
    <>
      <AdminTableFilters
        searchLabel={t('search_label')}
        choices={[
          {
            name: 'status',
            label: t('status'),
            options: MESSAGE_STATUSES.map((value) => ({ value, label: t(`status_${value}`) })),
          },
          {
            name: 'channel',
            label: t('channel'),
            options: MESSAGE_CHANNELS.map((value) => ({ value, label: t(`channel_${value}`) })),
          },
        ]}
      />
      <AdminTable<OutboxRow>
        label={t('title')}
        columns={useColumns(open)}
        rows={messages}
        rowKey={({ id }) => id}
        current={current}
        total={total}
        page={page}
        per_page={per_page}
        sort={params.get('sort') ?? '-created_at'}
        filters={FILTERS}
        empty={
          <Note heading="h2" title={t('none')}>
            {t('none_text')}
          </Note>
        }
        hasFailed={list === undefined}
      />
    </>
  )
}

function useColumns(open: (id: string) => string): [Column<OutboxRow>, ...Column<OutboxRow>[]] {
  const t = useT('outbox')
  const language = useLanguage()
  return [
    {
      key: 'recipient',
      label: t('recipient'),
      sort: 'asc',
      cell: (message) => (
        <Link to={open(message.id)} preventScrollReset>
          <bdi dir="ltr">{message.recipient}</bdi>
        </Link>
      ),
    },
    { key: 'subject', label: t('subject'), cell: (message) => <Subject message={message} />, narrow: 'under' },
    { key: 'channel', label: t('channel'), cell: ({ channel }) => t(`channel_${channel}`) },
    {
      key: 'status',
      label: t('status'),
      sort: 'asc',
      cell: ({ status }) => <StatusLabel status={status} />,
      narrow: 'end',
    },
    {
      key: 'attempts',
      label: t('attempts'),
      isNumber: true,
      cell: ({ attempts }) => formatNumber(language, attempts),
    },
    {
      key: 'error',
      label: t('error'),
      cell: ({ error }) => error && <bdi className={styles.error}>{error}</bdi>,
      narrow: 'under',
    },
    {
      key: 'created_at',
      label: t('created'),
      sort: 'desc',
      cell: ({ created_at }) => <Time value={created_at} />,
      narrow: 'under',
    },
  ]
}

export function Subject({ message: { subject, channel } }: { message: OutboxRow }) {
  const t = useT('outbox')
  if (subject) return <bdi>{subject}</bdi>
  return <span className={styles.hint}>{t(channel === 'sms' ? 'no_subject' : 'hidden_subject')}</span>
}

export function StatusLabel({ status }: { status: OutboxRow['status'] }) {
  const t = useT('outbox')
  return <span className={classes(styles.status, styles[status])}>{t(`status_${status}`)}</span>
}
