import { Link, useSearchParams } from 'react-router'
import { type AuditEntry, AuditFilters, readAuditLog } from '#shared/audit/endpoints.ts'
import { getBackups, startBackup } from '#shared/backup/endpoints.ts'
import { tableQuery } from '#shared/table.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { attempt, ifReadable, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import type { Route } from './+types/DataPage'
import styles from './Audit.module.css'
import { useAction } from './action.ts'
import { BackupPanel } from './BackupPanel.tsx'
import { Difference } from './Difference.tsx'

export const handle = { ns: ['users', 'backup', 'profile', 'forms'] } satisfies RouteHandle

const FILTERS = ['search', 'action', 'subject', 'since', 'until'] as const
const NOTHING = { entries: [], next: null, actions: [], subjects: [] }

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = tableQuery(AuditFilters, new URL(request.url).searchParams)
  const [{ done, error }, backups] = await Promise.all([
    attempt(context, (call) => call(readAuditLog, { query })),
    ifReadable(context, (call) => call(getBackups)),
  ])
  const badFilters = error?.status === 422 ? error.fields : {}
  return {
    log: done ?? NOTHING,
    hasFailed: error !== undefined && error.status !== 422,
    badFilters,
    backups: backups ?? null,
  }
}

export const action = formAction({
  backup: async (call, { form, context, flash }) => {
    const password = form.get('current_password')
    await call(startBackup, {
      body: { current_password: typeof password === 'string' && password ? password : undefined },
    })
    return flash('/admin/data', visitorOf(context).now.toISOString())
  },
})

/** Data Management: backups and the audit log. Keyset pagination, so that new entries do not shift the pages. */
export default function DataPage({ loaderData, actionData }: Route.ComponentProps) {
  const { log, hasFailed, badFilters, backups } = loaderData
  const t = useT('users')
  const translate = useTranslateMessage()
  const [params] = useSearchParams()
  const actionOf = useAction()
  const named = (subject: string) => t(`subject_${subject}` as 'subject_user').replace(/^subject_/, '')
  return (
    <AdminPage title={t('data_title')}>
      <BackupPanel state={backups} error={actionData?.error} startedAt={actionData ? null : params.get('done')} />
      <h2 className={styles.heading}>{t('data_audit')}</h2>
      <p className={styles.hint}>{t('data_hint')}</p>
      <AdminTableFilters
        searchLabel={t('who')}
        choices={[
          {
            name: 'action',
            label: t('action'),
            options: log.actions.map((value) => ({ value, label: actionOf(value) })),
          },
          {
            name: 'subject',
            label: t('subject'),
            options: log.subjects.map((value) => ({ value, label: named(value) })),
          },
        ]}
        span={{ since: t('since'), until: t('until_day'), error: translate(badFilters.until) }}
      />
      <AdminTable<AuditEntry>
        label={t('data_title')}
        columns={useColumns(named)}
        rows={log.entries}
        rowKey={(entry) => String(entry.id)}
        total={log.entries.length}
        page={1}
        per_page={Math.max(1, log.entries.length)}
        filters={FILTERS}
        empty={<Note heading="h2" title={t('data_none')} />}
        foot={<Foot next={log.next} />}
        hasFailed={hasFailed}
      />
    </AdminPage>
  )
}

function useColumns(named: (subject: string) => string): [Column<AuditEntry>, ...Column<AuditEntry>[]] {
  const t = useT('users')
  const actionOf = useAction()
  return [
    { key: 'at', label: t('when'), cell: (entry) => <Time value={entry.at} /> },
    {
      key: 'actor',
      label: t('who'),
      cell: (entry) => <bdi>{entry.actor_name ?? t('portal_itself')}</bdi>,
      narrow: 'under',
    },
    { key: 'action', label: t('action'), cell: (entry) => actionOf(entry.action), narrow: 'under' },
    {
      key: 'subject',
      label: t('subject'),
      cell: (entry) => <Subject entry={entry} named={named} />,
      narrow: 'under',
    },
    {
      key: 'change',
      label: t('change'),
      cell: (entry) => (
        <div className={styles.wide}>
          {entry.reason && (
            <div>
              {t('reason')}: <bdi>{entry.reason}</bdi>
            </div>
          )}
          <Difference before={entry.before} after={entry.after} />
        </div>
      ),
      narrow: 'under',
    },
  ]
}

function Foot({ next }: Pick<Route.ComponentProps['loaderData']['log'], 'next'>) {
  const t = useT('users')
  const [params] = useSearchParams()
  const isLater = params.has('before_id')
  return (
    <nav className={styles.foot} aria-label={t('data_pages')}>
      <a href={savedAt(params)} download>
        {t('export_csv')}
      </a>
      {isLater && <ButtonLink to={addressWith(params, { before_id: null })}>{t('latest')}</ButtonLink>}
      {next !== null && (
        <ButtonLink to={addressWith(params, { before_id: next })} rel="next">
          {t('older')}
        </ButtonLink>
      )}
    </nav>
  )
}

function Subject({ entry, named }: { entry: AuditEntry; named: (subject: string) => string }) {
  const id = (
    <bdi className={styles.id} title={entry.subject_id}>
      {entry.subject_name ?? entry.subject_id}
    </bdi>
  )
  return (
    <>
      {named(entry.subject_type)}{' '}
      {entry.subject_type === 'user' ? (
        <Link to={`/admin/users/${encodeURIComponent(entry.subject_id)}`}>{id}</Link>
      ) : (
        id
      )}
    </>
  )
}

function savedAt(params: URLSearchParams): string {
  const filters = FILTERS.map((name) => [name, params.get(name) ?? '']).filter(([, value]) => value)
  return `/api/admin-operations/audit-log?${new URLSearchParams([...filters, ['format', 'csv']])}`
}
