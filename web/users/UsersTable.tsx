import { Link, useSearchParams } from 'react-router'
import type { UserRow } from '#shared/accounts/users.ts'
import { useT } from '../lib/i18n.tsx'
import { AdminTable } from '../ui/AdminTable.tsx'
import { Note } from '../ui/Note.tsx'
import { Time } from '../ui/Time.tsx'
import { addressWith } from '../ui/tableAddress.ts'
import { StatusMark } from './StatusMark.tsx'
import styles from './Users.module.css'

interface Props {
  list: { users: UserRow[]; total: number; page: number; per_page: number }
  sort: string
  hasFailed: boolean
  current: string | undefined
  countryNames: Record<string, string>
}

export function UsersTable({ list, sort, hasFailed, current, countryNames }: Props) {
  const t = useT('users')
  const tAdmin = useT('admin')
  const [params] = useSearchParams()
  const open = (id: string) => addressWith(params, { user: id, action: null, done: null, page: list.page })
  return (
    <AdminTable
      label={t('users_title')}
      columns={[
        {
          key: 'display_name',
          label: t('name'),
          sort: 'asc',
          cell: (user) => (
            <Link to={open(user.id)} preventScrollReset>
              <bdi>{user.display_name}</bdi>
            </Link>
          ),
        },
        {
          key: 'email',
          label: t('email'),
          sort: 'asc',
          cell: (user) => <bdi dir="ltr">{user.email}</bdi>,
          narrow: 'under',
        },
        {
          key: 'role',
          label: t('role'),
          sort: 'asc',
          cell: (user) => (
            <>
              {tAdmin(`role_${user.role}`)}
              {user.scope_countries &&
                `, ${user.scope_countries.map((code) => countryNames[code] ?? code).join(t('comma'))}`}
              {user.scope_chapters && `, ${t('chapters_count', { count: user.scope_chapters.length })}`}
            </>
          ),
          narrow: 'under',
        },
        { key: 'profile_status', label: t('status'), cell: (user) => <StatusMark user={user} />, narrow: 'end' },
        {
          key: 'country_code',
          label: t('country'),
          cell: (user) => (user.country_code ? (countryNames[user.country_code] ?? user.country_code) : t('none')),
        },
        { key: 'provider', label: t('provider'), cell: (user) => t(`provider_${user.auth_provider}`) },
        {
          key: 'last_login_at',
          label: t('last_login'),
          sort: 'desc',
          cell: (user) => (
            <span className={styles.nowrap}>
              {user.last_login_at ? <Time value={user.last_login_at} look="day" /> : t('never')}
            </span>
          ),
        },
        {
          key: 'created_at',
          label: t('created'),
          sort: 'desc',
          cell: (user) => (
            <span className={styles.nowrap}>
              <Time value={user.created_at} look="day" />
            </span>
          ),
        },
      ]}
      rows={list.users}
      rowKey={(user) => user.id}
      current={current}
      total={list.total}
      page={list.page}
      per_page={list.per_page}
      sort={sort}
      filters={['search', 'role', 'status', 'provider']}
      empty={<Note heading="h2" title={params.get('tab') === 'new' ? tAdmin('accounts_none') : t('none_here')} />}
      csv={savedAt(params)}
      hasFailed={hasFailed}
    />
  )
}

/** The same list, all of its pages, as a file. */
function savedAt(params: URLSearchParams): string {
  const names = ['search', 'role', 'status', 'provider', 'tab', 'sort']
  const given = names.flatMap((name) => (params.get(name) ? [[name, params.get(name)!]] : []))
  return `/api/admin-operations/users?${new URLSearchParams([...given, ['format', 'csv']])}`
}
