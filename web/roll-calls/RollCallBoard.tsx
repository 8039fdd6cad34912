import { Link } from 'react-router'
import type { getRollCallBoard } from '#shared/roll-calls/endpoints.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Time } from '#web/ui/Time.tsx'
import { ROLL_CALLS, rollCallPath } from './paths.ts'
import styles from './RollCallBoard.module.css'

type Board = (typeof getRollCallBoard)['~']['output']

/** Open roll calls, on the overview of those who care for others. */
export function RollCallBoard({ board: { open }, isAlways }: { board: Board; isAlways?: boolean }) {
  const t = useT('rollCalls')
  const language = useLanguage()
  if (open.length === 0 && !isAlways) return null
  return (
    <div className={styles.boardPanel}>
      <AdminPanel id="roll-calls" title={t('board_title')} end={<Link to={ROLL_CALLS}>{t('board_all')}</Link>}>
        {open.length === 0 && (
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
