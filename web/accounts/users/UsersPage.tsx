import { data, redirect, useSearchParams } from 'react-router'
import { listAccountActions } from '#shared/accounts/account-actions.ts'
import { REGISTRATION_METHODS } from '#shared/accounts/profile.ts'
import { ACCOUNT_AGES, listUsers, USER_TABS, UserFilters, type UserTab } from '#shared/accounts/users.ts'
import { isAdmin, ROLES } from '#shared/roles.ts'
import { tableQuery } from '#shared/table.ts'
import { allNames, nameIn } from '#web/advisories/reader.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { resultOf } from '#web/lib/form-result.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { attempt, type FormError, ifReadable, userOf, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import type { Route } from './+types/UsersPage'
import { LatestAction } from './ActionResults.tsx'
import { createUserAccount, valuesOf, withoutPassword } from './actions.server.ts'
import { BulkConfirm } from './BulkConfirm.tsx'
import { actOnAccounts, type Bulk } from './bulk.server.ts'
import { NewUserDrawer } from './NewUserDrawer.tsx'
import { tabOf } from './tab.ts'
import { UsersTable } from './UsersTable.tsx'
import { UsersTabs } from './UsersTabs.tsx'

export const handle = { ns: ['users', 'forms'] } satisfies RouteHandle

const EMPTY: (typeof listUsers)['~']['output'] = {
  users: [],
  total: 0,
  page: 1,
  per_page: 50,
  counts: {},
  suggested: 0,
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams
  // Links from before users had their own page.
  const id = params.get('user')
  if (id && isId(id)) throw redirect(`/admin/users/${id}`)
  const tab = tabOf(params)
  const query = { ...tableQuery(UserFilters, params), tab }
  // The longest waiting comes first in the list of new accounts.
  if (!query.sort && tab === 'new') query.sort = 'created_at'
  const list = await attempt(context, (call) => call(listUsers, { query }))
  if (list.error && list.error.status < 500) throw data(list.error, list.error.status)
  const latest = await ifReadable(context, (call) => call(listAccountActions, { query: { limit: 1 } }))
  const { language } = visitorOf(context)
  const nameOf = nameIn(language)
  const codes = (list.done?.users ?? []).flatMap((row) => [row.country_code, ...(row.scope_countries ?? [])])
  return {
    list: list.done ?? EMPTY,
    hasFailed: list.error !== undefined,
    tab,
    latest: latest?.actions[0],
    isManager: isAdmin(userOf(context).role),
    sort: query.sort ?? '-created_at',
    countryNames: Object.fromEntries(codes.flatMap((code) => (code ? [[code, nameOf(code)]] : []))),
    countries: allNames(language).toSorted((a, b) => a.name.localeCompare(b.name, language)),
  }
}

export const action = formAction<{ bulk?: Bulk; error?: FormError | undefined }>(
  { bulk: actOnAccounts, create: createUserAccount },
  { onError: async (_error, { form }) => ({ values: withoutPassword(valuesOf(form)) }) },
)

/** Accounts: unverified ones first, with bulk actions. */
export default function UsersPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('users')
  const language = useLanguage()
  const [params] = useSearchParams()
  const { list, countryNames, countries, tab, isManager, latest } = loaderData
  const bulk = actionData?.bulk
  const tabs = USER_TABS.filter((key) => list.counts[key] !== undefined)
  return (
    <AdminPage
      title={t('users_title')}
      end={
        isManager && (
          <ButtonLink
            look={tab === 'new' && list.total > 0 ? 'secondary' : 'primary'}
            to={addressWith(params, { action: 'new', done: null })}
            preventScrollReset
          >
            {t('new_user')}
          </ButtonLink>
        )
      }
    >
      {/* First: without scripts the drawer is the first section of the page. */}
      {isManager && params.get('action') === 'new' && (
        <NewUserDrawer actionData={resultOf(actionData, 'create')} countries={countries} />
      )}
      <UsersTabs current="accounts" />
      <Tabs
        label={t('tabs')}
        tabs={tabs.map((key) => ({
          key,
          label: `${t(`tab_${key}`)} (${formatNumber(language, list.counts[key] ?? 0)})`,
          to: addressWith(params, { tab: key, action: null, done: null, all: null, suggested: null }),
          isCurrent: tab === key,
        }))}
      />
      <Filters countries={countries} isManager={isManager} tab={tab} />
      {bulk && <BulkConfirm key={bulk.requestKey} bulk={bulk} />}
      <UsersTable
        list={list}
        tab={tab}
        isManager={isManager}
        isAll={params.get('all') === 'yes'}
        sort={loaderData.sort}
        hasFailed={loaderData.hasFailed}
        countryNames={countryNames}
      />
      {latest && <LatestAction action={latest} />}
    </AdminPage>
  )
}

interface FiltersProps {
  countries: { code: string; name: string }[]
  isManager: boolean
  tab: UserTab
}

function Filters({ countries, isManager, tab }: FiltersProps) {
  const t = useT('users')
  const tAdmin = useT('admin')
  return (
    <AdminTableFilters
      searchLabel={t('search_label')}
      tab={tab}
      choices={[
        {
          name: 'country',
          label: t('country'),
          options: countries.map(({ code, name }) => ({ value: code, label: name })),
        },
        {
          name: 'method',
          label: t('method'),
          options: REGISTRATION_METHODS.map((value) => ({ value, label: t(`registration_${value}`) })),
        },
        {
          name: 'age',
          label: t('age'),
          options: ACCOUNT_AGES.map((value) => ({ value, label: t(`age_${value}`) })),
        },
        ...(isManager
          ? [
              {
                name: 'role',
                label: t('role'),
                options: ROLES.map((value) => ({ value, label: tAdmin(`role_${value}`) })),
              },
            ]
          : []),
      ]}
    />
  )
}
