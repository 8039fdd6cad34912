import { useSearchParams } from 'react-router'
import { AUTH_PROVIDERS, PROFILE_STATUSES } from '#shared/accounts/profile.ts'
import { findUser, listUsers, UserFilters } from '#shared/accounts/users.ts'
import { listChapterChoices } from '#shared/churches/chapters.ts'
import { ROLES } from '#shared/roles.ts'
import { tableQuery } from '#shared/table.ts'
import { allNames, nameIn } from '../advisories/reader.server.ts'
import { formatNumber } from '../lib/format.ts'
import { useLanguage, useT } from '../lib/i18n.tsx'
import { attempt, visitorOf } from '../lib/visitor.ts'
import type { RouteHandle } from '../root.tsx'
import { AdminPage } from '../ui/AdminPage.tsx'
import { AdminTableFilters } from '../ui/AdminTableFilters.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { addressWith } from '../ui/tableAddress.ts'
import type { Route } from './+types/UsersPage'
import { actOnUser } from './actions.server.ts'
import { NewUserDrawer } from './NewUserDrawer.tsx'
import { UserDrawer } from './UserDrawer.tsx'
import { UsersTable } from './UsersTable.tsx'
import { UsersTabs } from './UsersTabs.tsx'

export const handle = { ns: ['users', 'forms'] } satisfies RouteHandle

const EMPTY = { users: [], total: 0, page: 1, per_page: 50, counts: { all: 0, new: 0, flagged: 0 } }

export async function loader({ request, context }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams
  const query = tableQuery(UserFilters, params)
  const id = params.get('user')
  const list = await attempt(context, (call) => call(listUsers, { query }))
  const found = id ? await attempt(context, (call) => call(findUser, { params: { id } })) : undefined
  const { language } = visitorOf(context)
  const nameOf = nameIn(language)
  const codes = [
    ...(list.done?.users ?? []).flatMap((user) => [user.country_code, ...(user.scope_countries ?? [])]),
    ...(found?.done?.user.countries ?? []),
    ...(found?.done ? [found.done.user.country_code, ...(found.done.user.scope_countries ?? [])] : []),
  ]
  return {
    list: list.done ?? EMPTY,
    hasFailed: list.failure !== undefined,
    opened: found?.done,
    isUnknown: found?.failure !== undefined,
    sort: query.sort ?? '-created_at',
    countryNames: Object.fromEntries(codes.flatMap((code) => (code ? [[code, nameOf(code)]] : []))),
    chapters: found?.done ? ((await attempt(context, (call) => call(listChapterChoices))).done?.chapters ?? []) : [],
    countries: found?.done || params.get('action') === 'new' ? allNames(language) : [],
  }
}

export const action = ({ request, context }: Route.ActionArgs) => actOnUser(context, request)

export default function UsersPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('users')
  const tAdmin = useT('admin')
  const language = useLanguage()
  const [params] = useSearchParams()
  const { list, countryNames, countries } = loaderData
  const count = (n: number) => formatNumber(language, n)
  const tab = params.get('tab') ?? 'all'
  return (
    <AdminPage
      title={t('users_title')}
      end={
        <ButtonLink
          look="primary"
          to={addressWith(params, { user: null, action: 'new', done: null })}
          preventScrollReset
        >
          {t('new_user')}
        </ButtonLink>
      }
    >
      {/* First: without scripts what is open is the first part of the page. */}
      {params.get('action') === 'new' && <NewUserDrawer posted={actionData} countries={countries} />}
      {(loaderData.opened || loaderData.isUnknown) && (
        <UserDrawer
          key={params.get('user')}
          opened={loaderData.opened}
          posted={actionData}
          neighbours={list.users.map(({ id }) => id)}
          countryNames={countryNames}
          countries={countries}
          chapters={loaderData.chapters}
        />
      )}
      <UsersTabs current="accounts" />
      <Tabs
        label={t('tabs')}
        tabs={(['all', 'new', 'flagged'] as const).map((key) => ({
          key,
          label: `${t(`tab_${key}`)} (${count(list.counts[key])})`,
          to: addressWith(params, { tab: key === 'all' ? null : key, user: null, action: null, done: null }),
          isCurrent: tab === key,
        }))}
      />
      <AdminTableFilters
        searchLabel={t('search_label')}
        choices={[
          {
            name: 'role',
            label: t('role'),
            options: ROLES.map((value) => ({ value, label: tAdmin(`role_${value}`) })),
          },
          {
            name: 'status',
            label: t('status'),
            options: PROFILE_STATUSES.map((value) => ({ value, label: t(`status_${value}`) })),
          },
          {
            name: 'provider',
            label: t('provider'),
            options: AUTH_PROVIDERS.map((value) => ({ value, label: t(`provider_${value}`) })),
          },
        ]}
      />
      <UsersTable
        list={list}
        sort={loaderData.sort}
        hasFailed={loaderData.hasFailed}
        current={loaderData.opened?.user.id}
        countryNames={countryNames}
      />
    </AdminPage>
  )
}
