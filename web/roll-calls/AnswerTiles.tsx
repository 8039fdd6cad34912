import { useSearchParams } from 'react-router'
import type { Counts } from '#shared/roll-calls/endpoints.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Tiles } from '#web/ui/Tiles.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import styles from './RollCallPage.module.css'

const TILES = [
  { key: 'help', part: 'help', count: 'need_help' },
  { key: 'unclear', part: 'unclear', count: 'unclear' },
  { key: 'silent', part: 'silent', count: 'silent' },
  { key: 'unreached', part: 'unreached', count: 'unreached' },
  { key: 'safe', part: 'safe', count: 'safe' },
  { key: 'not_there', part: 'not_there', count: 'not_there' },
  { key: 'asked', part: null, count: 'asked' },
] as const

/** Number of each answer, linking to the recipients it counts. */
export function AnswerTiles({ counts, filter }: { counts: Counts & { unreached: number }; filter: string | null }) {
  const t = useT('rollCalls')
  const language = useLanguage()
  const [params] = useSearchParams()
  return (
    <Tiles
      label={t('tiles')}
      tiles={TILES.filter(({ key }) => key !== 'unclear' || counts.unclear > 0 || filter === 'unclear').map((tile) => {
        const isBad = tile.key === 'help' && counts.waiting > 0
        return {
          key: tile.key,
          to: addressWith(params, { part: tile.part, done: null, action: null, page: null }),
          isChosen: filter === tile.part,
          value: (
            <span className={classes(tile.key === 'help' && counts.need_help > 0 && styles.bad)}>
              {formatNumber(language, counts[tile.count])}
            </span>
          ),
          label: (
            <>
              {t(`tile_${tile.key}`)}
              {isBad && (
                <span className={styles.waiting}>
                  {t('tile_waiting', { n: formatNumber(language, counts.waiting) })}
                </span>
              )}
            </>
          ),
        }
      })}
    />
  )
}
