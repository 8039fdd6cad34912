import { Form, Link, useNavigation } from 'react-router'
import { listManagedSources, type ManagedSource } from '#shared/advisories/admin-sources.ts'
import { fetchFeeds } from '#shared/advisories/endpoints.ts'
import { sourceName } from '#web/lib/country-names.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { nameIn } from '../reader.server.ts'
import { SourceState } from '../SourceState.tsx'
import type { Route } from './+types/SourcesAdminPage'
import { AdvisoryTabs } from './AdvisoryTabs.tsx'
import { MANAGE, sourcePath } from './paths.ts'
import { RunResult } from './RunResult.tsx'
import styles from './SourceAdminPage.module.css'

export const handle = { ns: ['manage', 'forms'] } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const { sources } = await api(context)(listManagedSources)
  const nameOf = nameIn(visitorOf(context).language)
  return { sources: sources.map((source) => ({ ...source, name: sourceName(source, nameOf) })) }
}

/** Fetches all enabled sources; the results appear in the table. */
export const action = formAction(async (call, { flash }) => {
  const { runs } = await call(fetchFeeds, { body: {} })
  const wasSkipped = runs.length > 0 && runs.every(({ status }) => status === 'skipped')
  return flash(`${MANAGE}/sources`, wasSkipped ? 'skipped' : 'fetched')
})

export default function SourcesAdminPage({ loaderData: { sources }, actionData }: Route.ComponentProps) {
  const t = useT('manage')
  const forms = useT('forms')
  const { state, formMethod } = useNavigation()
  return (
    <AdminPage
      title={t('sources_title')}
      end={
        <Form method="post" className={styles.actions}>
          <ButtonLink to={`${MANAGE}/sources/new`}>{t('source_new')}</ButtonLink>
          <Button
            type="submit"
            look="primary"
            icon="refresh"
            isBusy={state !== 'idle' && formMethod === 'POST'}
            busyLabel={t('fetching')}
          >
            {t('fetch_all')}
          </Button>
        </Form>
      }
    >
      <AdvisoryTabs current="sources" />
      <FlashMessage namespace="manage" kinds={{ skipped: 'unknown' }} />
      {actionData?.error && <Note kind="error" isLive title={translateMessage(forms, actionData.error.error)} />}
      <AdminTable
        label={t('sources_title')}
        columns={useColumns()}
        rows={sources}
        rowKey={({ id }) => id}
        total={sources.length}
        page={1}
        per_page={sources.length}
        empty={<Note heading="h2" title={t('sources_empty')} />}
      />
    </AdminPage>
  )
}

function useColumns(): readonly [Column<ManagedSource>, ...Column<ManagedSource>[]] {
  const t = useT('manage')
  const language = useLanguage()
  return [
    {
      key: 'name',
      label: t('source'),
      cell: (row) => (
        <Link to={sourcePath(row.id)}>
          <bdi>{row.name}</bdi> <bdi dir="ltr">({row.id})</bdi>
        </Link>
      ),
    },
    {
      key: 'state',
      label: t('status'),
      narrow: 'under',
      cell: (row) => (row.retired_at ? t('source_removed') : <SourceState source={row} />),
    },
    {
      key: 'last_change',
      label: t('last_change'),
      cell: (row) => (row.last_change_at ? <Time value={row.last_change_at} /> : t('never')),
    },
    {
      key: 'items',
      label: t('items'),
      isNumber: true,
      cell: (row) => formatNumber(language, row.item_count),
    },
    {
      key: 'interval',
      label: t('interval'),
      cell: (row) => row.reader !== 'manual' && t('every_minutes', { n: row.interval_seconds / 60 }),
    },
    {
      key: 'run',
      label: t('last_run'),
      narrow: 'under',
      cell: (row) =>
        row.last_run ? <RunResult run={row.last_run} /> : row.reader === 'manual' ? t('source_manual') : t('never'),
    },
  ]
}
