import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import { formatNumber, namesInLine } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { ChannelColumns } from './ChannelTable.tsx'
import styles from './Confirmation.module.css'

const NAMED = 3

/** The channels that are used, and who cannot be reached. */
export function ConfirmedChannels({ estimate }: { estimate: ReachEstimate }) {
  const t = useT('compose')
  const language = useLanguage()
  const amount = (count: number) => t('people', { count, n: formatNumber(language, count) })
  const { channels, unreached, sms_cost } = estimate
  const names = unreached.people.slice(0, NAMED).map(({ name }) => name)
  return (
    <table className={styles.channels}>
      <ChannelColumns />
      <tbody>
        {channels
          .filter((row) => row.people > 0)
          .map(({ channel, people: reached, is_connected }) => (
            <tr key={channel}>
              <th scope="row">{t(`channel_${channel}`)}</th>
              <td>{amount(reached)}</td>
              <td>
                {is_connected ? (
                  channel === 'sms' && sms_cost && t('about_cost', { cost: sms_cost })
                ) : (
                  <UnknownTag>{t('not_connected')}</UnknownTag>
                )}
              </td>
            </tr>
          ))}
        {unreached.total > 0 && (
          <tr className={styles.bad}>
            <th scope="row">
              <Icon name="critical" /> {t('cannot_be_reached')}
            </th>
            <td>{amount(unreached.total)}</td>
            <td>
              {namesInLine(language, names)}
              {unreached.total > names.length && '…'}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
