import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import type { Channel } from '#shared/delivery/kinds.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import styles from './ChannelTable.module.css'

const ICONS: Record<Channel, IconName> = {
  'in-app': 'bell',
  browser: 'grid',
  email: 'mail',
  sms: 'speech',
  push: 'phone',
  whatsapp: 'speech',
}

interface Props {
  channels: readonly Channel[]
  /** Ticked channels; without, all are used and none can be chosen. */
  chosen?: readonly string[]
  estimate: ReachEstimate | null
  /** Channels without a provider. */
  unsent: readonly Channel[]
  error?: string | undefined
}

/** Caption and head, for screen readers, of a table of channels. */
export function ChannelColumns() {
  const t = useT('compose')
  return (
    <>
      <caption className="visually-hidden">{t('channels')}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('channel')}</th>
          <th scope="col">{t('column_recipients')}</th>
          <th scope="col">{t('column_price')}</th>
        </tr>
      </thead>
    </>
  )
}

/** Each channel with the number of recipients it reaches and its price; dashed if it is not connected. */
export function ChannelTable({ channels, chosen, estimate, unsent, error }: Props) {
  const t = useT('compose')
  const language = useLanguage()
  return (
    <div>
      <table className={styles.table}>
        <ChannelColumns />
        <tbody>
          {channels.map((channel) => {
            const row = estimate?.channels.find((one) => one.channel === channel)
            return (
              <tr key={channel}>
                <th scope="row">
                  {chosen ? (
                    <label className={styles.channel}>
                      <input
                        type="checkbox"
                        name="channels"
                        value={channel}
                        defaultChecked={chosen.includes(channel)}
                        aria-invalid={error ? true : undefined}
                      />
                      <ChannelName channel={channel} />
                    </label>
                  ) : (
                    <span className={styles.channel}>
                      <ChannelName channel={channel} />
                    </span>
                  )}
                </th>
                <td>{row ? t('people', { count: row.people, n: formatNumber(language, row.people) }) : '—'}</td>
                <td>
                  <Price channel={channel} estimate={estimate} isConnected={!unsent.includes(channel)} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {error && <p className={styles.error}>{error}</p>}
    </div>
  )
}

function ChannelName({ channel }: { channel: Channel }) {
  const t = useT('compose')
  return (
    <>
      <Icon name={ICONS[channel]} />
      {t(`channel_${channel}`)}
    </>
  )
}

function Price({
  channel,
  estimate,
  isConnected,
}: {
  channel: Channel
  estimate: ReachEstimate | null
  isConnected: boolean
}) {
  const t = useT('compose')
  if (!isConnected) return <UnknownTag>{t('not_connected')}</UnknownTag>
  if (channel !== 'sms' || !estimate || estimate.sms_segments === 0) return null
  return estimate.sms_cost ? t('about_cost', { cost: estimate.sms_cost }) : t('cost_unknown')
}
