import { Link, useSearchParams } from 'react-router'
import { clearSlowDown, listFailedSignIns, PERIODS, sendSignInLink } from '#shared/accounts/sign-ins.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { AdminTable } from '#web/ui/AdminTable.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { Tiles } from '#web/ui/Tiles.tsx'
import { Time } from '#web/ui/Time.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import type { Route } from './+types/SignInsPage'
import { Bars } from './Bars.tsx'
import styles from './SignIns.module.css'
import { UsersTabs } from './UsersTabs.tsx'

export const handle = { ns: ['signIns', 'users', 'forms'] } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const requestedDays = new URL(request.url).searchParams.get('days')
  const days = PERIODS.find((period) => period === requestedDays) ?? '1'
  const { done } = await attempt(context, (call) => call(listFailedSignIns, { query: { days } }))
  return { days, report: done }
}

export const action = formAction({
  link: async (call, { text, back }) => {
    await call(sendSignInLink, { params: { id: text('id') } })
    return back('link')
  },
  clear: async (call, { text, back }) => {
    await call(clearSlowDown, { params: { id: text('id') } })
    return back('clear')
  },
})

/** Failed and rejected sign-ins: number, method, reason, user and origin; and help for the users concerned. */
export default function SignInsPage({ loaderData: { days, report }, actionData }: Route.ComponentProps) {
  const t = useT('signIns')
  const tUsers = useT('users')
  const [params] = useSearchParams()
  return (
    <AdminPage title={tUsers('users_title')}>
      <UsersTabs current="sign_ins" />
      <div className={styles.stack}>
        {actionData?.error && <Form error={actionData.error}>{null}</Form>}
        {!actionData && <FlashMessage namespace="signIns" />}
        <h2 className={styles.title}>{t('title')}</h2>
        <p className={styles.hint}>{t('intro')}</p>
        <Tabs
          label={t('periods')}
          tabs={PERIODS.map((period) => ({
            key: period,
            label: t(`days_${period}`),
            to: addressWith(params, { days: period === '1' ? null : period, done: null }),
            isCurrent: period === days,
          }))}
        />
        {report ? (
          <Report report={report} />
        ) : (
          <Note kind="error" title={t('failed_title')}>
            {t('failed_text')}
          </Note>
        )}
      </div>
    </AdminPage>
  )
}

type Report = NonNullable<Route.ComponentProps['loaderData']['report']>

function Report({ report }: { report: Report }) {
  const t = useT('signIns')
  const language = useLanguage()
  const count = (value: number) => formatNumber(language, value)
  const look = report.days === '1' ? 'moment' : 'day'
  if (report.total === 0) return <Note title={t('none')} />
  return (
    <>
      <Tiles
        label={t('figures')}
        tiles={[
          { key: 'total', label: t('total'), value: count(report.total) },
          { key: 'accounts', label: t('accounts_total'), value: count(report.accounts.length) },
          { key: 'networks', label: t('networks_total'), value: count(report.networks.length) },
        ]}
      />
      <div className={styles.columns}>
        <AdminPanel id="by-reason" title={t('by_reason')}>
          <Bars rows={report.by_reason.map((row) => ({ ...row, key: row.reason, label: t(`reason_${row.reason}`) }))} />
        </AdminPanel>
        <AdminPanel id="by-method" title={t('by_way')}>
          <Bars rows={report.by_way.map((row) => ({ ...row, key: row.way, label: t(`method_${row.way}`) }))} />
        </AdminPanel>
        <AdminPanel id="by-time" title={t('by_time')}>
          <Bars
            rows={report.by_time.map((row) => ({ ...row, key: row.at, label: <Time value={row.at} look={look} /> }))}
          />
        </AdminPanel>
      </div>
      <Accounts accounts={report.accounts} />
      <Networks networks={report.networks} />
    </>
  )
}

function Accounts({ accounts }: Pick<Report, 'accounts'>) {
  const t = useT('signIns')
  const language = useLanguage()
  if (accounts.length === 0) return null
  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts">{t('accounts')}</h2>
      <p className={styles.hint}>{t('accounts_hint')}</p>
      <AdminTable
        label={t('accounts')}
        rows={accounts}
        rowKey={({ id }) => id}
        total={accounts.length}
        page={1}
        per_page={accounts.length}
        empty={null}
        columns={[
          {
            key: 'account',
            label: t('account'),
            cell: ({ id, display_name, email }) => (
              <>
                <Link to={`/admin/users/${id}`}>
                  <bdi>{display_name}</bdi>
                </Link>
                <br />
                <bdi dir="ltr" className={styles.hint}>
                  {email}
                </bdi>
              </>
            ),
          },
          {
            key: 'failures',
            label: t('failures'),
            isNumber: true,
            narrow: 'end',
            cell: ({ failures }) => formatNumber(language, failures),
          },
          {
            key: 'networks',
            label: t('networks'),
            isNumber: true,
            cell: ({ networks }) => formatNumber(language, networks),
          },
          { key: 'last_at', label: t('last_at'), cell: ({ last_at }) => <Time value={last_at} /> },
          { key: 'actions', label: t('actions'), narrow: 'under', cell: (account) => <Actions {...account} /> },
        ]}
      />
    </section>
  )
}

function Actions({ id, display_name: name, can_get_mail }: Report['accounts'][number]) {
  const t = useT('signIns')
  return (
    <Form>
      <input type="hidden" name="id" value={id} />
      <Buttons>
        {can_get_mail && (
          <Submit isSmall look="secondary" name="intent" value="link" aria-label={t('send_link_to', { name })}>
            {t('send_link')}
          </Submit>
        )}
        <Submit isSmall look="secondary" name="intent" value="clear" aria-label={t('clear_of', { name })}>
          {t('clear')}
        </Submit>
      </Buttons>
    </Form>
  )
}

function Networks({ networks }: Pick<Report, 'networks'>) {
  const t = useT('signIns')
  const language = useLanguage()
  return (
    <section aria-labelledby="networks">
      <h2 id="networks">{t('networks')}</h2>
      <p className={styles.hint}>{t('networks_hint')}</p>
      <AdminTable
        label={t('networks')}
        rows={networks}
        rowKey={({ network }) => network}
        total={networks.length}
        page={1}
        per_page={networks.length}
        empty={null}
        columns={[
          {
            key: 'network',
            label: t('network'),
            cell: ({ network }) => (network ? <bdi dir="ltr">{network}</bdi> : t('network_unknown')),
          },
          {
            key: 'failures',
            label: t('failures'),
            isNumber: true,
            narrow: 'end',
            cell: ({ failures }) => formatNumber(language, failures),
          },
          {
            key: 'accounts',
            label: t('accounts'),
            isNumber: true,
            cell: ({ accounts }) => formatNumber(language, accounts),
          },
        ]}
      />
    </section>
  )
}
