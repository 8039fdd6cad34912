import { Link } from 'react-router'
import type { getRollCallBoard } from '#shared/roll-calls/endpoints.ts'
import { formatNumber, isolated } from '../lib/format.ts'
import { useLanguage, useT } from '../lib/i18n.tsx'
import { AdminPanel } from '../ui/AdminPage.tsx'
import { Time } from '../ui/Time.tsx'
import { ROLL_CALLS, rollCallPath } from './paths.ts'
import styles from './RollCallBoard.module.css'

type Board = (typeof getRollCallBoard)['~']['output']

/** On top of the first page of those who look after people: who needs help, then the roll-calls that are open. */
export function RollCallBoard({ board: { open, help, help_count }, isAlways }: { board: Board; isAlways?: boolean }) {
  const t = useT('rollCalls')
  const language = useLanguage()
  if (open.length === 0 && help.length === 0 && !isAlways) return null
  return (
    <div className={styles.boardPanel}>
      <AdminPanel id="roll-calls" title={t('board_title')} end={<Link to={ROLL_CALLS}>{t('board_all')}</Link>}>
        {help.length > 0 && (
          <ul className={styles.board}>
            {help.map((wanted) => (
              <li
                key={`${wanted.roll_call_id} ${wanted.user_id}`}
                className={wanted.taken_at ? undefined : styles.urgent}
              >
                <span>
                  <Link to={`${rollCallPath(wanted.roll_call_id)}#p-${wanted.user_id}`}>
                    <strong>
                      <bdi>{wanted.name}</bdi>
                    </strong>
                  </Link>{' '}
                  {t('board_help')} · <bdi>{wanted.title}</bdi>
                </span>
                <span className={wanted.taken_at ? styles.ok : styles.alone}>
                  <Helper wanted={wanted} />
                </span>
              </li>
            ))}
            {help_count > help.length && <li>{t('board_more', { count: help_count - help.length })}</li>}
          </ul>
        )}
        {open.length === 0 && help.length === 0 && (
          <p className={styles.none}>
            {t('board_none')} <Link to={`${ROLL_CALLS}/new`}>{t('new')}</Link>
          </p>
        )}
        {open.length > 0 && (
          <ul className={styles.board}>
            {open.map(({ id, title, started_at, counts }) => (
              <li key={id}>
                <Link to={rollCallPath(id)}>
                  <bdi>{title}</bdi>
                </Link>
                <span className={styles.muted}>
                  {t('board_progress', {
                    answered: formatNumber(language, counts.asked - counts.silent),
                    asked: formatNumber(language, counts.asked),
                  })}{' '}
                  · <Time value={started_at} look="relative" />
                </span>
              </li>
            ))}
          </ul>
        )}
      </AdminPanel>
    </div>
  )
}

function Helper({ wanted: { taken_at, is_mine, helper_name } }: { wanted: Board['help'][number] }) {
  const t = useT('rollCalls')
  if (taken_at) return is_mine ? t('you_take_care') : t('takes_care', { name: isolated(helper_name ?? '') })
  if (is_mine) return t('board_yours')
  return helper_name ? t('asked_helper', { name: isolated(helper_name) }) : t('no_helper')
}
