import { Link, redirect } from 'react-router'
import { present } from '#shared/assert.ts'
import { searchAdmin } from '#shared/overview/endpoints.ts'
import { findPage, namedPages, pagesLike } from '#web/layouts/admin-search.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { api, userOf, visitorOf } from '#web/lib/visitor.ts'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { Board, BoardRow } from '#web/ui/Board.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/AdminSearchPage'

/** Target of the admin search without scripts: redirects, or lists the results. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const { role } = userOf(context)
  const search = new URL(request.url).searchParams.get('search')?.trim() ?? ''
  const t = translator(language, 'admin')
  const to = findPage(search, role, namedPages(role, t))
  if (to) throw redirect(to)
  const { people } = search.length < 2 ? { people: [] } : await api(context)(searchAdmin, { query: { search } })
  return { search, people, title: t('search_title') }
}

export default function AdminSearchPage({ loaderData: { search, people } }: Route.ComponentProps) {
  const t = useT('admin')
  const user = present(useUser(), 'a signed-in user')
  const pages = pagesLike(search, namedPages(user.role, t))
  return (
    <AdminPage title={t('search_title')}>
      {pages.length === 0 && people.length === 0 ? (
        <Note title={t('search_none')}>{t('search_none_text')}</Note>
      ) : (
        <Board label={t('search_title')}>
          {pages.map(({ to, label }) => (
            <BoardRow key={to} title={<Link to={to}>{label}</Link>} />
          ))}
          {people.map(({ id, name, email, role }) => (
            <BoardRow
              key={id}
              title={
                <Link to={`/admin/users/${id}`}>
                  <bdi>{name}</bdi>
                </Link>
              }
              end={t(`role_${role}`)}
            >
              <bdi dir="ltr">{email}</bdi>
            </BoardRow>
          ))}
        </Board>
      )}
    </AdminPage>
  )
}
