import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Tiles } from '#web/ui/Tiles.tsx'
import styles from './Overview.module.css'
import type { OverviewTile } from './overview.ts'

export function OverviewTiles({ tiles }: { tiles: readonly OverviewTile[] }) {
  const t = useT('admin')
  const language = useLanguage()
  return (
    <div className={styles.tiles}>
      <Tiles
        label={t('tiles_label')}
        tiles={tiles.map(({ key, count, label, to, note, isBad }) => ({
          key,
          to,
          value: formatNumber(language, count),
          label: (
            <>
              <span className={styles.tileLabel}>{t(label)}</span>
              {note && (
                <span className={classes(styles.tileNote, isBad && styles.bad)}>{t(note.key, note.values)}</span>
              )}
            </>
          ),
        }))}
      />
    </div>
  )
}
