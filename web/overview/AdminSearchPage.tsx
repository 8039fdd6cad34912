import { Link, redirect } from 'react-router'
import { findPage, namedPages } from '#web/layouts/admin-search.ts'
import { Marked } from '#web/layouts/Marked.tsx'
import type { ResultGroup } from '#web/layouts/search-results.ts'
import { formatNumber } from '#web/lib/format.ts'
import { translator, useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, userOf, visitorOf } from '#web/lib/visitor.ts'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { BoardRow } from '#web/ui/Board.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/AdminSearchPage'
import styles from './AdminSearchPage.module.css'
import { searchResults } from './search-results.server.ts'

/** Results of the admin search, also for the list below its field (`all`); without scripts, exact words redirect. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const visitor = visitorOf(context)
  const { role } = userOf(context)
  const { searchParams } = new URL(request.url)
  const search = searchParams.get('search')?.trim().slice(0, 200) ?? ''
  const t = translator(visitor.language, 'admin')
  const to = searchParams.has('all') ? null : findPage(search, role, namedPages(role, t))
  if (to) throw redirect(to)
  return { ...(await searchResults(api(context), visitor, role, search)), title: t('search_title') }
}

export default function AdminSearchPage({ loaderData: { search, groups, suggestion } }: Route.ComponentProps) {
  const t = useT('admin')
  return (
    <AdminPage title={t('search_title')}>
      {groups.length === 0 ? (
        <Note title={search ? t('search_nothing', { search }) : t('search_label')}>
          {suggestion ? (
            <Link to={`?search=${encodeURIComponent(suggestion)}`}>{t('search_suggestion', { suggestion })}</Link>
          ) : (
            t('search_none_text')
          )}
        </Note>
      ) : (
        <div className={styles.groups}>
          {groups.map((group) => (
            <Group key={group.kind} group={group} search={search} />
          ))}
        </div>
      )}
    </AdminPage>
  )
}

function Group({ group: { kind, rows, total, all }, search }: { group: ResultGroup; search: string }) {
  const t = useT('admin')
  const language = useLanguage()
  const hasMore = all && total > rows.length
  return (
    <AdminPanel
      id={`found-${kind}`}
      title={t(`search_kind_${kind}`)}
      end={hasMore && <Link to={all}>{t('search_all', { n: formatNumber(language, total) })}</Link>}
    >
      <ul className={styles.rows}>
        {rows.map(({ to, title, detail }) => (
          <BoardRow
            key={to + title}
            title={
              <Link to={to}>
                <Marked text={title} search={search} />
              </Link>
            }
            end={detail && <Marked text={detail} search={search} />}
          />
        ))}
      </ul>
    </AdminPanel>
  )
}
