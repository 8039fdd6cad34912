import { Link } from 'react-router'
import { type BackupRun, type BackupState, MAX_BACKUP_HOURS, MAX_CHECK_DAYS } from '#shared/backup/endpoints.ts'
import { CurrentPassword } from '#web/accounts/profile/CurrentPassword.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { useWaitingUpdates } from '#web/overview/useWaitingUpdates.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './BackupPanel.module.css'

interface Props {
  /** Null if it could not be read. */
  state: BackupState | null
  /** Error from starting a backup. */
  error: FormError | undefined
  /** When a backup was started manually, just before this page was requested. */
  startedAt: string | null
}

/** Age of the last backup, whether one was ever restored, and what could be lost. */
export function BackupPanel({ state, error, startedAt }: Props) {
  const t = useT('backup')
  if (!state)
    return (
      <AdminPanel id="backup" title={t('title')}>
        <div className={styles.body}>
          <Note kind="error" title={t('unavailable')} action={<Link to="/admin/data">{t('try_again')}</Link>} />
        </div>
      </AdminPanel>
    )
  const { last_backup, last_check, last_failure, next_check_at } = state
  const hasStarted = startedAt !== null && ![last_backup, last_failure].some((run) => run && run.at >= startedAt)
  return (
    <AdminPanel id="backup" title={t('title')} end={<Verdict state={state} />}>
      <div className={styles.body}>
        <Faults state={state} />
        <dl className={styles.facts}>
          <dt>{t('last_backup')}</dt>
          <dd>{last_backup ? <Made run={last_backup} /> : t('none')}</dd>
          <dt>{t('last_check')}</dt>
          <dd>{last_check ? <Checked run={last_check} /> : t('none')}</dd>
          {next_check_at && (
            <>
              <dt>{t('next_check')}</dt>
              <dd>
                <Time value={next_check_at} look="day" />
              </dd>
            </>
          )}
          <dt>{t('could_lose')}</dt>
          <dd>
            <Loss state={state} />
          </dd>
        </dl>
        {last_failure && (
          <Note kind="error" title={t('failed_title')}>
            <p className={styles.error}>
              <Time value={last_failure.at} /> · <bdi>{last_failure.error}</bdi>
            </p>
          </Note>
        )}
        {(state.is_running || hasStarted) && <Updates />}
        {state.is_running ? (
          <p className={styles.hint} role="status">
            {t('running')}
          </p>
        ) : (
          hasStarted && <Note kind="success" title={t('started')} isLive />
        )}
        {state.is_scheduled ? <Start error={error} /> : <p className={styles.hint}>{t('unscheduled')}</p>}
        <HowTo folder={last_backup?.folder} />
      </div>
    </AdminPanel>
  )
}

/** Reloads the data to show the result of a backup. */
function Updates() {
  useWaitingUpdates()
  return null
}

function Verdict({ state }: { state: BackupState }) {
  const t = useT('backup')
  const { is_late, is_untested, last_backup, last_failure } = state
  const isGood = !is_late && !is_untested && !last_failure
  const fault = !last_backup ? 'never' : is_late ? 'late' : last_failure ? 'failed' : 'untested'
  return (
    <span className={isGood ? styles.good : styles.bad}>
      <Icon name={isGood ? 'check' : 'critical'} /> {t(isGood ? 'good' : fault)}
    </span>
  )
}

function Faults({ state }: { state: BackupState }) {
  const t = useT('backup')
  if (state.is_late) {
    const hours = Math.max(MAX_BACKUP_HOURS, (state.every_hours ?? 0) + 2)
    return (
      <Note kind="error" title={state.last_backup ? t('late_title', { hours }) : t('none_title')}>
        <p>{t('late_text')}</p>
      </Note>
    )
  }
  if (!state.is_untested) return null
  return (
    <Note kind="error" title={t('untested_title', { days: MAX_CHECK_DAYS })}>
      <p>{t('untested_text')}</p>
    </Note>
  )
}

/** Data at risk: between two scheduled backups, or since the last one if there is no schedule or it is late. */
function Loss({ state: { last_backup, every_hours, is_late } }: { state: BackupState }) {
  const t = useT('backup')
  if (!last_backup) return t('could_lose_all')
  if (every_hours && !is_late) return t('could_lose_hours', { count: every_hours })
  return (
    <>
      {t('could_lose_since')} <Time value={last_backup.backup_at ?? last_backup.at} />
    </>
  )
}

function Made({ run }: { run: BackupRun }) {
  const t = useT('backup')
  const size = useSize()
  return (
    <>
      <strong>
        <bdi>
          <Time value={run.backup_at ?? run.at} />
        </bdi>
      </strong>{' '}
      · <bdi>{size(run.bytes ?? 0)}</bdi> · {t(run.is_encrypted ? 'encrypted' : 'not_encrypted')}
      {run.missing_files ? <> · {t('missing_files', { count: run.missing_files })}</> : null}
    </>
  )
}

function Checked({ run }: { run: BackupRun }) {
  const t = useT('backup')
  const language = useLanguage()
  const n = (value: number | null) => formatNumber(language, value ?? 0)
  return (
    <>
      <strong>
        <bdi>
          <Time value={run.at} look="day" />
        </bdi>
      </strong>{' '}
      · {t('equal', { tables: n(run.tables), rows: n(run.rows) })}
    </>
  )
}

function Start({ error }: { error: FormError | undefined }) {
  const t = useT('backup')
  const problem = useProblems(error)
  return (
    <Form action="/admin/data" error={error}>
      <input type="hidden" name="intent" value="backup" />
      {error?.fields.current_password !== undefined && <CurrentPassword error={problem('current_password')} />}
      <div>
        <Submit look="secondary">{t('start')}</Submit>
      </div>
    </Form>
  )
}

function HowTo({ folder }: { folder: string | null | undefined }) {
  const t = useT('backup')
  return (
    <Fold summary={t('how_to')} look="link">
      <p>{t('how_to_text')}</p>
      <pre className={styles.command} dir="ltr">
        npm run portal -- restore --from {folder ?? '/path/to/backups'}
      </pre>
      <p>{t('how_to_test')}</p>
      <pre className={styles.command} dir="ltr">
        npm run portal -- restore --check {folder ?? '/path/to/backups'}
      </pre>
    </Fold>
  )
}

const MB = 1_000_000

function useSize() {
  const t = useT('backup')
  const language = useLanguage()
  return (bytes: number) => {
    const [key, amount] =
      bytes < 1000 * MB ? (['size_mb', bytes / MB] as const) : (['size_gb', bytes / (1000 * MB)] as const)
    return t(key, { n: formatNumber(language, Math.max(0.1, Math.round(amount * 10) / 10)) })
  }
}
