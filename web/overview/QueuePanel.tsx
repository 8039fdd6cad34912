import { Link } from 'react-router'
import { formatNumber, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Queue.module.css'
import { QueueItem } from './QueueItem.tsx'
import type { ShownQueue } from './queue.server.ts'
import { keyOf } from './queue-text.ts'
import { useNewRows } from './useNewRows.ts'

interface Props {
  title: string
  queue: ShownQueue
  /** Path of the page, for the filters. */
  path: string
  /** Coordinators verify accounts on their own page. */
  isCoordinator?: boolean
}

/** Everything that waits for the user in one order, with the next step of each row. */
export function QueuePanel({ title, queue, path, isCoordinator = false }: Props) {
  const t = useT('queue')
  const { rows, newCount, showNew } = useNewRows(queue.rows)
  return (
    <section className={styles.panel} aria-labelledby="queue">
      <div className={styles.head}>
        <h2 id="queue">{title}</h2>
        <Filters queue={queue} path={path} />
      </div>
      <Failed queue={queue} />
      {queue.country && (
        <p className={styles.country}>
          {t('country_only', { country: queue.place ? isolated(queue.place) : t('country_unknown') })}{' '}
          <Link to={path}>{t('show_everything')}</Link>
        </p>
      )}
      <div role="status" className={styles.live}>
        {newCount > 0 && (
          <p className={styles.fresh}>
            <strong>{t('new_rows', { count: newCount })}</strong>
            <Button isSmall onClick={showNew}>
              {t('new_rows_show')}
            </Button>
          </p>
        )}
      </div>
      {rows.length === 0 && newCount === 0 && queue.failed.length === 0 && <Nothing queue={queue} />}
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
      <ol className={styles.rows} role="list">
        {rows.map((row, at) => (
          <QueueItem key={keyOf(row)} row={row} now={queue.read_at} isFirst={at === 0} isCoordinator={isCoordinator} />
        ))}
      </ol>
      <Footer queue={queue} shown={rows.length} path={path} />
    </section>
  )
}

const FILTERS = [
  { owner: undefined, label: 'all', count: 'all' },
  { owner: 'mine', label: 'mine', count: 'mine' },
  { owner: 'none', label: 'none', count: 'unowned' },
] as const

function Filters({ queue, path }: Pick<Props, 'queue' | 'path'>) {
  const t = useT('queue')
  const language = useLanguage()
  return (
    <nav aria-label={t('filters')} className={styles.filters}>
      {FILTERS.map(({ owner, label, count }) => (
        <Link
          key={label}
          className={styles.filter}
          to={addressOf(path, { ...queue, owner, page: 1 })}
          aria-current={queue.owner === owner ? 'true' : undefined}
          preventScrollReset
        >
          {t(label)} {formatNumber(language, queue.counts[count])}
        </Link>
      ))}
    </nav>
  )
}

function Failed({ queue: { failed, rows } }: Pick<Props, 'queue'>) {
  const t = useT('queue')
  const language = useLanguage()
  if (failed.length === 0) return null
  const groups = failed.map((group) => t(`group_${group}`)).join(t('comma'))
  return (
    <div className={styles.failed}>
      <Note kind="error" heading="h3" title={t('failed', { groups, shown: formatNumber(language, rows.length) })}>
        <p>{t('failed_text')}</p>
      </Note>
    </div>
  )
}

function Nothing({ queue }: Pick<Props, 'queue'>) {
  const t = useT('queue')
  const text =
    queue.page > 1
      ? 'nothing_page'
      : queue.owner === 'mine'
        ? 'nothing_mine'
        : queue.owner === 'none' && queue.counts.all > 0
          ? 'nothing_none'
          : 'nothing'
  return <p className={styles.nothing}>{t(text)}</p>
}

function Footer({ queue, shown, path }: Pick<Props, 'queue' | 'path'> & { shown: number }) {
  const t = useT('queue')
  const language = useLanguage()
  const { total, page, per_page, is_all, country } = queue
  const n = (value: number) => formatNumber(language, value)
  const pages = is_all ? Math.ceil(total / per_page) : 1
  if (shown === 0 && page === 1) return null
  return (
    <div className={styles.foot}>
      <span>{t('shown', { shown: n(shown), total: n(total) })}</span>
      <span className={styles.pages}>
        {page > 1 && (
          <Link className={styles.page} to={addressOf(path, { ...queue, page: page - 1 })}>
            {t('previous')}
          </Link>
        )}
        {page < pages && (
          <Link className={styles.page} to={addressOf(path, { ...queue, page: page + 1 })}>
            {t('next')}
          </Link>
        )}
        {!is_all && total > shown && (
          <Link className={styles.page} to={addressOf(path, { ...queue, is_all: true })} preventScrollReset>
            {t('show_all', { total: n(total) })}
          </Link>
        )}
        {is_all && !country && page === 1 && total > FIRST && (
          <Link className={styles.page} to={addressOf(path, { ...queue, is_all: false })}>
            {t('show_less', { shown: n(FIRST) })}
          </Link>
        )}
      </span>
    </div>
  )
}

/** As many as the page shows at first; the schema is not in the bundle. */
const FIRST = 10

function addressOf(
  path: string,
  { owner, country, is_all, page }: Pick<ShownQueue, 'owner' | 'country' | 'is_all' | 'page'>,
): string {
  const params = new URLSearchParams()
  if (owner) params.set('owner', owner)
  if (country) params.set('country', country)
  if (is_all && !country) params.set('show', 'all')
  if (page > 1) params.set('page', String(page))
  return params.size > 0 ? `${path}?${params}` : path
}
