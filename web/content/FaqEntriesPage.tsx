import { Link } from 'react-router'
import { FAQ_CATEGORIES, type FaqRecord, faqEntries } from '#shared/content/faq.ts'
import { tableQuery } from '#shared/table.ts'
import { textIn } from '#shared/text.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/FaqEntriesPage'
import { categoryTitle } from './faq.ts'

export const handle = { ns: ['faq', 'content'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const query = tableQuery(faqEntries.list.query, new URL(request.url).searchParams)
  const { done, error } = await attempt(context, (call) => call(faqEntries.list, { query }))
  const list = done ?? { faq_entries: [], total: 0, page: 1, per_page: 50 }
  return { ...list, hasFailed: error !== undefined }
}

/** The questions of the travel FAQ in the order of its page. */
export default function FaqEntriesPage({ loaderData }: Route.ComponentProps) {
  const t = useT('faq')
  const content = useT('content')
  const create = (
    <ButtonLink look="primary" to="/admin/travel-faq/new">
      {t('new_question')}
    </ButtonLink>
  )
  return (
    <AdminPage title={t('title')} end={create}>
      <FlashMessage namespace="faq" />
      <p>
        <Link to="/travel-faq">{t('open_page')}</Link>
      </p>
      <AdminTableFilters
        searchLabel={t('search')}
        choices={[
          {
            name: 'category',
            label: t('category'),
            options: FAQ_CATEGORIES.map((value) => ({ value, label: categoryTitle(content, value) })),
          },
          {
            name: 'status',
            label: t('status'),
            options: (['published', 'draft'] as const).map((value) => ({ value, label: t(`status_${value}`) })),
          },
        ]}
      />
      <AdminTable
        {...loaderData}
        label={t('title')}
        columns={useColumns()}
        rows={loaderData.faq_entries}
        rowKey={({ id }) => id}
        filters={['search', 'category', 'status']}
        empty={
          <Note heading="h2" kind="unknown" title={t('none')}>
            <p>{t('none_text')}</p>
          </Note>
        }
      />
    </AdminPage>
  )
}

function useColumns(): readonly [Column<FaqRecord>, ...Column<FaqRecord>[]] {
  const t = useT('faq')
  const content = useT('content')
  const language = useLanguage()
  return [
    {
      key: 'question',
      label: t('question'),
      cell: ({ id, question }) => <Link to={`/admin/travel-faq/${id}`}>{textIn(question, language)}</Link>,
    },
    {
      key: 'category',
      label: t('category'),
      narrow: 'under',
      cell: ({ category }) => categoryTitle(content, category),
    },
    { key: 'position', label: t('position'), isNumber: true, cell: (row) => formatNumber(language, row.position) },
    {
      key: 'status',
      label: t('status'),
      narrow: 'end',
      cell: (row) => <Tag>{t(row.is_published ? 'status_published' : 'status_draft')}</Tag>,
    },
  ]
}
