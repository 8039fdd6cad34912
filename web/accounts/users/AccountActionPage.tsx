import { data, Link, useSearchParams } from 'react-router'
import * as z from 'zod'
import { type AccountActionItem, getAccountAction, undoAccountAction } from '#shared/accounts/account-actions.ts'
import { TABLE_QUERY, tableQuery } from '#shared/table.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import { AdminTable } from '#web/ui/AdminTable.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/AccountActionPage'
import { ResultCounts, resultLook } from './ActionResults.tsx'
import styles from './BulkActions.module.css'

export const handle = { ns: ['users', 'forms'] } satisfies RouteHandle

const Query = z.strictObject({ page: TABLE_QUERY.page, per_page: TABLE_QUERY.per_page })

export async function loader({ context, request, params }: Route.LoaderArgs) {
  if (!isId(params.id)) throw data(null, { status: 404 })
  const query = tableQuery(Query, new URL(request.url).searchParams)
  const found = await api(context)(getAccountAction, { params: { id: params.id }, query })
  const nameOf = nameIn(visitorOf(context).language)
  return {
    ...found,
    items: found.items.map((item) => ({ ...item, country: item.country_code && nameOf(item.country_code) })),
  }
}

export const action = formAction(async (call, { id, flash }) => {
  await call(undoAccountAction, { params: { id } })
  return flash(`/admin/users/actions/${id}`, 'undo')
})

/** Results of a bulk action by account, and a link back. */
export default function AccountActionPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('users')
  const [params] = useSearchParams()
  const { action, items } = loaderData
  const done = params.get('done')
  return (
    <AdminPage title={t(`action_kind_${action.kind}`)}>
      <BackLink to="/admin/users">{t('users_title')}</BackLink>
      {!actionData && done === 'undo' && <Note kind="success" isLive title={t('done_undo')} />}
      <p className={styles.counts}>
        <ResultCounts action={action} />
      </p>
      <p className={styles.facts}>
        <Time value={action.created_at} /> · <bdi>{action.actor_name}</bdi>
        {action.message && (
          <>
            {' · '}
            {t(`bulk_${action.kind === 'refuse' ? 'refuse' : 'ask'}_message`)}: <bdi>{action.message}</bdi>
          </>
        )}
        {action.undone_at && (
          <>
            {' · '}
            {t('action_undone')} <Time value={action.undone_at} />
          </>
        )}
      </p>
      {action.can_undo && (
        <Form error={actionData?.error}>
          <p className={styles.facts}>{t(action.kind === 'refuse' ? 'undo_refuse_means' : 'undo_verify_means')}</p>
          <Buttons>
            <Submit look="secondary">{t('undo')}</Submit>
          </Buttons>
        </Form>
      )}
      <ResultsTable {...loaderData} rows={items} />
    </AdminPage>
  )
}

type Row = AccountActionItem & { country: string | null }

function ResultsTable({ rows, ...list }: { rows: Row[]; total: number; page: number; per_page: number }) {
  const t = useT('users')
  return (
    <AdminTable
      label={t('result_per_person')}
      columns={[
        {
          key: 'name',
          label: t('name'),
          cell: ({ user_id, display_name }) =>
            display_name === null ? (
              t('out_of_scope')
            ) : (
              <Link to={`/admin/users/${user_id}`}>
                <bdi>{display_name}</bdi>
              </Link>
            ),
        },
        { key: 'country', label: t('country'), cell: ({ country }) => country ?? t('none') },
        {
          key: 'result',
          label: t('result'),
          narrow: 'under',
          cell: ({ result, earlier_by, undo_result }) => (
            <span className={resultLook(result)}>
              <span>
                {result === 'already_verified' && earlier_by
                  ? t('result_already_by', { name: earlier_by })
                  : t(`result_${result}`)}
                {undo_result && ` · ${t(`undo_${undo_result}`)}`}
              </span>
            </span>
          ),
        },
      ]}
      rows={rows}
      rowKey={({ user_id }) => user_id}
      {...list}
      empty={<Note heading="h2" title={t('bulk_nobody')} />}
    />
  )
}
