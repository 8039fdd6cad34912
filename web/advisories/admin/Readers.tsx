import type { Readers as ReaderCounts } from '#shared/advisories/announcements.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import styles from './Readers.module.css'

/** How many subscribers would be notified, in total and per channel; a subscriber may have several. */
export function Readers({ readers }: { readers: ReaderCounts }) {
  const t = useT('manage')
  const language = useLanguage()
  const number = (n: number) => formatNumber(language, n)
  const channels = CHANNELS.flatMap((channel) => {
    const count = readers.channels[channel]
    return count ? [t('by_way', { n: number(count), way: t(`channel_${channel}`) })] : []
  })
  const summary =
    readers.people === 0
      ? t('would_notify_zero')
      : t('would_notify', { count: readers.people, n: number(readers.people) })
  return (
    <p className={styles.readers}>
      {summary}
      {channels.length > 0 && `: ${new Intl.ListFormat(language, { type: 'unit' }).format(channels)}`}
    </p>
  )
}
