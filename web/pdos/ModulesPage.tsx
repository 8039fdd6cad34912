import { Link } from 'react-router'
import { adminLanguage } from '#shared/language.ts'
import { MODULE_STATUSES, modules, type PdosModule, SEMINAR_MINUTES } from '#shared/pdos/modules.ts'
import { mayPass } from '#shared/roles.ts'
import { tableQuery } from '#shared/table.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, PageNotice } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/ModulesPage'

export const handle = { ns: ['pdos'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const query = tableQuery(modules.list.query, new URL(request.url).searchParams)
  const { done, error } = await attempt(context, (call) => call(modules.list, { query }))
  const list = done ?? { modules: [], total: 0, page: 1, per_page: 50, required_minutes: 0 }
  const mayManage = mayPass('managePdosModules', visitorOf(context).user?.role ?? null)
  return { ...list, hasFailed: error !== undefined, mayManage }
}

/** The modules of the seminar in their order. */
export default function ModulesPage({ loaderData }: Route.ComponentProps) {
  const t = useT('pdos')
  const { required_minutes, hasFailed, mayManage } = loaderData
  const create = mayManage && (
    <ButtonLink look="primary" to="/admin/pdos-modules/new">
      {t('new_module')}
    </ButtonLink>
  )
  return (
    <AdminPage title={t('modules')} end={create}>
      <FlashMessage namespace="pdos" />
      {!hasFailed && <RequiredTime minutes={required_minutes} />}
      <AdminTableFilters
        searchLabel={t('search')}
        choices={[
          {
            name: 'status',
            label: t('status'),
            options: MODULE_STATUSES.map((value) => ({ value, label: t(`status_${value}`) })),
          },
        ]}
      />
      <AdminTable
        {...loaderData}
        label={t('modules')}
        columns={useColumns()}
        rows={loaderData.modules}
        rowKey={({ id }) => id}
        filters={['search', 'status']}
        empty={
          <Note heading="h2" kind="unknown" title={t('none')}>
            <p>{t(mayManage ? 'none_text' : 'none_text_read')}</p>
          </Note>
        }
      />
    </AdminPage>
  )
}

/** The required modules are to take as long as a seminar. */
function RequiredTime({ minutes }: { minutes: number }) {
  const t = useT('pdos')
  const language = useLanguage()
  const [n, of] = [formatNumber(language, minutes), formatNumber(language, SEMINAR_MINUTES)]
  if (minutes === SEMINAR_MINUTES) return <p>{t('required_right', { n })}</p>
  return (
    <PageNotice>
      <Note title={t('required_sum', { n, of })} />
    </PageNotice>
  )
}

function useColumns(): readonly [Column<PdosModule>, ...Column<PdosModule>[]] {
  const t = useT('pdos')
  const language = adminLanguage(useLanguage())
  return [
    {
      key: 'title',
      label: t('title'),
      cell: (module) => <Link to={`/admin/pdos-modules/${module.id}`}>{module[`title_${language}`]}</Link>,
    },
    { key: 'code', label: t('code'), cell: ({ code }) => <bdi dir="ltr">{code}</bdi> },
    {
      key: 'minutes',
      label: t('duration_minutes'),
      isNumber: true,
      narrow: 'end',
      cell: ({ duration_minutes }) => formatNumber(language, duration_minutes),
    },
    {
      key: 'required',
      label: t('required'),
      narrow: 'under',
      cell: (row) => t(row.is_required ? 'required' : 'optional'),
    },
    { key: 'status', label: t('status'), narrow: 'under', cell: ({ status }) => <Tag>{t(`status_${status}`)}</Tag> },
    {
      key: 'effective_from',
      label: t('effective_from'),
      cell: ({ effective_from }) => effective_from && formatDay(language, effective_from),
    },
  ]
}
