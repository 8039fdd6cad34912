import type { Counts } from '#shared/roll-calls/endpoints.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './RollCallPage.module.css'

interface Group {
  key: string | null
  name: string | null
  counts: Counts
}

const COLUMNS = ['need_help', 'silent', 'safe', 'not_there', 'asked'] as const

/** Status by chapter or country, those with recipients waiting for help first. */
export function Groups({ groups }: { groups: readonly Group[] }) {
  const t = useT('rollCalls')
  const language = useLanguage()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be keyboard accessible
    <section className={styles.groups} aria-label={t('groups')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('group_column')}</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(column === 'need_help' ? 'tile_help' : `tile_${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ key, name, counts }) => (
            <tr key={key ?? ''}>
              <th scope="row">
                <bdi>{name ?? key ?? t('group_unknown')}</bdi>
              </th>
              {COLUMNS.map((column) => (
                <td key={column} className={classes(column === 'need_help' && counts.need_help > 0 && styles.bad)}>
                  {formatNumber(language, counts[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
