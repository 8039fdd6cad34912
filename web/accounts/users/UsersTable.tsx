import { Link, useSearchParams } from 'react-router'
import type { UserRow, UserTab } from '#shared/accounts/users.ts'
import { type Translate, useT } from '#web/lib/i18n.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import { AccountSigns } from './AccountSigns.tsx'
import { AllSelected, BulkButtons, SelectAll } from './BulkActions.tsx'
import { StatusMark } from './StatusMark.tsx'
import { USER_FILTERS } from './tab.ts'
import styles from './Users.module.css'

interface Props {
  list: { users: UserRow[]; total: number; page: number; per_page: number; suggested: number }
  tab: UserTab
  isManager: boolean
  /** All matches are selected. */
  isAll: boolean
  sort: string
  hasFailed: boolean
  countryNames: Record<string, string>
}

export function UsersTable({ list, tab, isManager, isAll, sort, hasFailed, countryNames }: Props) {
  const t = useT('users')
  const tAdmin = useT('admin')
  const [params] = useSearchParams()
  const columns = { t, tAdmin, countryNames }
  const isNew = tab === 'new'
  const canChoose = isNew && !isAll && list.users.length > 0
  const table = (
    <AdminTable
      label={t('users_title')}
      columns={isNew ? waitingColumns(columns) : allColumns(columns)}
      rows={list.users}
      rowKey={(user) => user.id}
      total={list.total}
      page={list.page}
      per_page={list.per_page}
      sort={sort}
      filters={USER_FILTERS}
      empty={<Note heading="h2" title={isNew ? tAdmin('accounts_none') : t('none_here')} />}
      hasFailed={hasFailed}
      {...(isManager ? { csv: savedAt(params, tab) } : {})}
      {...(canChoose
        ? {
            selection: {
              name: 'ids',
              label: (user: UserRow) => t('choose_named', { name: user.display_name }),
              actions: <BulkButtons />,
            },
          }
        : {})}
    />
  )
  if (!isNew || list.users.length === 0) return table
  return (
    <Form action={addressWith(params, { page: params.get('page'), done: null })} preventScrollReset>
      <input type="hidden" name="intent" value="bulk" />
      {isAll ? <AllSelected total={list.total} /> : <SelectAll total={list.total} suggested={list.suggested} />}
      {table}
    </Form>
  )
}

interface Texts {
  t: Translate<'users'>
  tAdmin: Translate<'admin'>
  countryNames: Record<string, string>
}

const nameColumn = (t: Translate<'users'>): Column<UserRow> => ({
  key: 'display_name',
  label: t('name'),
  sort: 'asc',
  cell: (user) => (
    <Link to={`/admin/users/${user.id}`}>
      <bdi>{user.display_name}</bdi>
    </Link>
  ),
})

const countryColumn = ({ t, countryNames }: Texts): Column<UserRow> => ({
  key: 'country_code',
  label: t('country'),
  cell: (user) => (user.country_code ? (countryNames[user.country_code] ?? user.country_code) : t('none')),
})

/** For unverified accounts: facts that help to decide. */
const waitingColumns = (texts: Texts): [Column<UserRow>, ...Column<UserRow>[]] => [
  {
    ...nameColumn(texts.t),
    cell: (user) => (
      <>
        {nameColumn(texts.t).cell(user)}
        <div className={styles.email}>
          <bdi dir="ltr">{user.email}</bdi>
        </div>
      </>
    ),
  },
  countryColumn(texts),
  {
    key: 'registration_method',
    label: texts.t('method'),
    cell: (user) => texts.t(`registration_${user.registration_method}`),
  },
  {
    key: 'chapter',
    label: texts.t('church'),
    cell: (user) => (user.chapter_name ? <bdi>{user.chapter_name}</bdi> : texts.t('none')),
  },
  { key: 'signs', label: texts.t('signs'), cell: (user) => <AccountSigns signs={user.signs} />, narrow: 'under' },
  {
    key: 'created_at',
    label: texts.t('waiting'),
    sort: 'asc',
    cell: (user) => (
      <span className={styles.nowrap}>
        <Time value={user.created_at} look="relative" />
      </span>
    ),
    narrow: 'under',
  },
]

const allColumns = (texts: Texts): [Column<UserRow>, ...Column<UserRow>[]] => {
  const { t, tAdmin } = texts
  return [
    nameColumn(t),
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
          {placesOf(user, texts).map((place) => `${t('comma')}${place}`)}
        </>
      ),
      narrow: 'under',
    },
    { key: 'profile_status', label: t('status'), cell: (user) => <StatusMark user={user} />, narrow: 'end' },
    countryColumn(texts),
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
  ]
}

/** The scope of a role, as text. */
function placesOf(user: UserRow, { t, countryNames }: Texts): string[] {
  if (user.scope_everywhere) return [t('everywhere')]
  return [
    ...(user.scope_countries ?? []).map((code) => countryNames[code] ?? code),
    ...(user.scope_chapters ? [t('chapters_count', { count: user.scope_chapters.length })] : []),
  ]
}

/** URL of the same list, all pages, as a file. */
function savedAt(params: URLSearchParams, tab: UserTab): string {
  const filters = [...USER_FILTERS, 'sort'].map((name) => [name, params.get(name) ?? '']).filter(([, value]) => value)
  return `/api/admin-operations/users?${new URLSearchParams([...filters, ['tab', tab], ['format', 'csv']])}`
}
