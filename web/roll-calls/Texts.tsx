import { useT } from '#web/lib/i18n.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './RecipientList.module.css'
import type { Recipient } from './recipient.ts'

/** The note of an answer by SMS consists of messages that are already in the list. */
export const isInTexts = ({ answered_via, texts }: Recipient) => answered_via === 'sms' && texts.length > 0

/** Verbatim SMS messages from the recipient during the roll call, the latest last. */
export function Texts({ recipient: { texts, opted_out_at } }: { recipient: Recipient }) {
  const t = useT('rollCalls')
  if (texts.length === 0) return null
  return (
    <div className={styles.texts}>
      {opted_out_at && <p className={styles.alone}>{t('opted_out')}</p>}
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
      <ul role="list" aria-label={t('texts_label')}>
        {texts.map(({ body, channel, media_count, received_at }) => (
          <li key={`${received_at} ${body}`}>
            {body.trim() ? (
              <p className={styles.body} dir="auto">
                {body}
              </p>
            ) : (
              <p>{t('text_empty')}</p>
            )}
            <span className={styles.muted}>
              {t(`text_${channel}`)} · <Time value={received_at} look="relative" />
              {media_count > 0 && <> · {t('text_media', { count: media_count })}</>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
