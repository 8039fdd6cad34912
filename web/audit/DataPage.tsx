import { useSearchParams } from 'react-router'
import { AuditFilters, readAuditLog } from '#shared/audit/endpoints.ts'
import { getBackups, startBackup } from '#shared/backup/endpoints.ts'
import { tableQuery } from '#shared/table.ts'
import { useZone } from '#web/lib/clock.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { zoneName } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { attempt, ifReadable, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { TableEmpty } from '#web/ui/AdminTableFooter.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { addressWith, isFiltered } from '#web/ui/table-address.ts'
import type { Route } from './+types/DataPage'
import styles from './Audit.module.css'
import { AuditEntries } from './AuditEntries.tsx'
import { useAction } from './action.ts'
import { BackupPanel } from './BackupPanel.tsx'
import { readableEntries } from './entries.server.ts'

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
  const { entries, ...log } = done ?? NOTHING
  return {
    entries: readableEntries(visitorOf(context).language, entries),
    log,
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
  const { entries, log, hasFailed, badFilters, backups } = loaderData
  const t = useT('users')
  const translate = useTranslateMessage()
  const [params] = useSearchParams()
  const actionOf = useAction()
  const named = (subject: string) => t(`subject_${subject}` as 'subject_user').replace(/^subject_/, '')
  return (
    <AdminPage title={t('data_title')}>
      <BackupPanel state={backups} error={actionData?.error} startedAt={actionData ? null : params.get('done')} />
      <h2 className={styles.heading}>{t('data_audit')}</h2>
      <p className={styles.hint}>{t('data_hint', { zone: zoneName(useZone()) })}</p>
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
      {hasFailed || entries.length === 0 ? (
        <TableEmpty
          hasFailed={hasFailed}
          isFiltered={isFiltered(params, FILTERS)}
          filters={FILTERS}
          empty={<Note heading="h2" title={t('data_none')} />}
          total={0}
        />
      ) : (
        <AuditEntries entries={entries} />
      )}
      <Foot next={log.next} />
    </AdminPage>
  )
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

function savedAt(params: URLSearchParams): string {
  const filters = FILTERS.map((name) => [name, params.get(name) ?? '']).filter(([, value]) => value)
  return `/api/admin-operations/audit-log?${new URLSearchParams([...filters, ['format', 'csv']])}`
}
