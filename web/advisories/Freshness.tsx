import { useNow, useZone } from '#web/lib/clock.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import { doubtText, isVouchedFor, type SourceFreshness } from './freshness-text.ts'
import styles from './SourceState.module.css'

interface Props {
  source: SourceFreshness
  /** When the source changed the displayed content; omitted where that is shown elsewhere. */
  changed?: { at: string; precision: 'day' | 'minute' }
}

/** Two separate times: *checked* by us, *changed* by the source. Dashed while the source is not confirmed. */
export function Freshness({ source, changed }: Props) {
  const t = useT('common')
  return (
    <span className={styles.freshness}>
      <Checked source={source} />
      {changed && (
        <span>
          {t('changed_label')} <Time value={changed.at} precision={changed.precision} look="day" />
        </span>
      )}
    </span>
  )
}

function Checked({ source }: { source: SourceFreshness }) {
  const t = useT('common')
  const doubt = doubtText(t, useLanguage(), useZone(), source, useNow())
  return (
    <span className={classes(styles.checked, !isVouchedFor(source) && styles.doubtful)}>
      <Icon name={isVouchedFor(source) ? 'clock' : 'unknown'} />
      <span>
        {doubt ?? (source.state === 'manual' || !source.last_success_at ? t('written_manually') : t('checked_label'))}
        {source.state === 'confirmed' && source.last_success_at && (
          <>
            {' '}
            <Time value={source.last_success_at} look="relative" />
          </>
        )}
      </span>
    </span>
  )
}
