import { Link } from 'react-router'
import {
  ACCOUNT_ACTION_RESULTS,
  type AccountActionResult,
  type AccountActionSummary,
} from '#shared/accounts/account-actions.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { classes } from '#web/ui/classes.ts'
import { Time } from '#web/ui/Time.tsx'
import styles from './BulkActions.module.css'
import { useCounted } from './useCounted.ts'

const DONE: readonly AccountActionResult[] = ['verified', 'asked', 'refused']

/** Colour and shape of a result: done, nothing to do, or not done. */
export const resultLook = (result: AccountActionResult | 'missing') =>
  classes(
    styles.result,
    DONE.includes(result as AccountActionResult) && styles.done,
    (result === 'bounced' || result === 'missing') && styles.notDone,
  )

/** Number of accounts by result. */
export function ResultCounts({ action }: { action: AccountActionSummary }) {
  const t = useT('users')
  const counted = useCounted()
  return (
    <>
      {ACCOUNT_ACTION_RESULTS.map((result) => {
        const count = action.results[result] ?? 0
        return (
          count > 0 && (
            <span key={result} className={resultLook(result)}>
              {t(`count_${result}`, counted(count))}
            </span>
          )
        )
      })}
      {action.missing > 0 && (
        <span className={resultLook('missing')}>{t('count_missing', counted(action.missing))}</span>
      )}
    </>
  )
}

/** The latest bulk action, below the list. */
export function LatestAction({ action }: { action: AccountActionSummary }) {
  const t = useT('users')
  return (
    <div className={styles.latest}>
      <AdminPanel
        id="latest-action"
        title={t('latest_action')}
        end={
          <span>
            <Time value={action.created_at} look="relative" /> <bdi>{action.actor_name}</bdi>
          </span>
        }
      >
        <p className={styles.line}>
          <b>{t(`action_kind_${action.kind}`)}</b>
          <ResultCounts action={action} />
          {action.undone_at && <span>{t('action_undone')}</span>}
          <Link to={`/admin/users/actions/${action.id}`}>{t('result_per_person')}</Link>
        </p>
      </AdminPanel>
    </div>
  )
}
